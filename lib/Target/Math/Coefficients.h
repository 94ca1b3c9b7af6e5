// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coefficients of polynomials, and constants of several parts. Made by
// scripts/generate-math-coefficients.

#ifndef PYK_LIB_TARGET_MATH_COEFFICIENTS_H
#define PYK_LIB_TARGET_MATH_COEFFICIENTS_H

#include <cstdint>

// clang-format off

namespace pyk {

// Each is the sum of its parts.
inline constexpr double kLog2EF32[] = {0x1.7154760000000p+0, 0x1.4ae0c00000000p-26};
inline constexpr double kLog2EF64[] = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
inline constexpr double kLog10EF32[] = {0x1.bcb7b20000000p-2, -0x1.5b235e0000000p-27};
inline constexpr double kLog10EF64[] = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
inline constexpr double kLn2F32[] = {0x1.62e4300000000p-1, -0x1.05c6100000000p-29};
inline constexpr double kLn2F64[] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr double kLn10F32[] = {0x1.26bb1c0000000p+1, -0x1.12aaba0000000p-25};
inline constexpr double kLn10F64[] = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
inline constexpr double kLog10Of2F32[] = {0x1.3441360000000p-2, -0x1.ec10c00000000p-27};
inline constexpr double kLog10Of2F64[] = {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
inline constexpr double kHalfPiF32[] = {0x1.921fb60000000p+0, -0x1.777a5c0000000p-25, -0x1.ee59da0000000p-50};
inline constexpr double kHalfPiF64[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
inline constexpr double kTwoThirdsF32[] = {0x1.5555560000000p-1, -0x1.5555560000000p-26};
inline constexpr double kTwoThirdsF64[] = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
inline constexpr double kErfcxOf4F32[] = {0x1.3ba5920000000p+0, -0x1.22c0500000000p-25};
inline constexpr double kErfcxOf4F64[] = {0x1.3ba5916e9fd7fp+0, -0x1.aa9c415679e6fp-55};
inline constexpr double kFullErfcxOf4F32[] = {0x1.5eb7f60000000p-1, 0x1.d963360000000p-26};
inline constexpr double kFullErfcxOf4F64[] = {0x1.5eb7f6ecb19a9p-1, 0x1.4be21497119c2p-55};
inline constexpr double kRootOfTwoF32[] = {0x1.6a09e60000000p+0, 0x1.9fcef40000000p-26};
inline constexpr double kRootOfTwoF64[] = {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54};
inline constexpr double kLogGamma1F32[] = {0x1.b0ee600000000p-2, 0x1.c824f40000000p-28};
inline constexpr double kLogGamma1F64[] = {0x1.b0ee6072093cep-2, 0x1.6cb90701fbfabp-58};
inline constexpr double kLogGamma2F32[] = {0x1.4a34cc0000000p-2, 0x1.2983ea0000000p-28};
inline constexpr double kLogGamma2F64[] = {0x1.4a34cc4a60fa6p-2, 0x1.1873d8912200cp-56};
inline constexpr double kLogPiF32[] = {0x1.250d040000000p+0, 0x1.1cf4380000000p-25};
inline constexpr double kLogPiF64[] = {0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57};
inline constexpr double kHalfLog2PiF32[] = {0x1.d67f1c0000000p-1};
inline constexpr double kHalfLog2PiF64[] = {0x1.d67f1c864beb5p-1};
inline constexpr double kStirling0F32[] = {0x1.3573fc0000000p-1, 0x1.edab600000000p-26};
inline constexpr double kStirling0F64[] = {0x1.3573fcf6d5af9p-1, 0x1.0e57879459ce1p-55};
inline constexpr double kBesselJ0SquareF32[] = {0x1.721fb80000000p+2, 0x1.18aeee0000000p-28};
inline constexpr double kBesselJ0SquareF64[] = {0x1.721fb80462bbbp+2, 0x1.db60c816c15d3p-52};
inline constexpr double kBesselJ0OtherF32[] = {0x1.e78a4a0000000p+4};
inline constexpr double kBesselJ0OtherF64[] = {0x1.e78a4a621dd6fp+4};
inline constexpr double kBesselJ1SquareF32[] = {0x1.d5d2b40000000p+3, 0x1.89822c0000000p-25};
inline constexpr double kBesselJ1SquareF64[] = {0x1.d5d2b4189822cp+3, -0x1.c6a0d245172bap-54};
inline constexpr double kBesselY0ZeroF32[] = {0x1.c982ec0000000p-1, -0x1.cafa060000000p-27};
inline constexpr double kBesselY0ZeroF64[] = {0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56};
inline constexpr double kBesselY0SquareF32[] = {0x1.98d2580000000p-1, -0x1.b2fed60000000p-31};
inline constexpr double kBesselY0SquareF64[] = {0x1.98d257f93404ap-1, 0x1.b7acb8a94e405p-55};
inline constexpr double kBesselLogOfY0ZeroF32[] = {-0x1.cce4b80000000p-4};
inline constexpr double kBesselLogOfY0ZeroF64[] = {-0x1.cce4b73e6f025p-4};
inline constexpr double kBesselY0SecondZeroF32[] = {0x1.fa95340000000p+1, 0x1.b30ad40000000p-24};
inline constexpr double kBesselY0SecondZeroF64[] = {0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54};
inline constexpr double kBesselY1ZeroF32[] = {0x1.193bee0000000p+1, -0x1.6401b80000000p-24};
inline constexpr double kBesselY1ZeroF64[] = {0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55};
inline constexpr double kBesselY1SquareF32[] = {0x1.34f49c0000000p+2, 0x1.f8f0160000000p-23};
inline constexpr double kBesselY1SquareF64[] = {0x1.34f49cfc780a9p+2, -0x1.65d88128c73dfp-52};
inline constexpr double kBesselLogOfY1ZeroF32[] = {0x1.9306420000000p-1};
inline constexpr double kBesselLogOfY1ZeroF64[] = {0x1.930641fe98869p-1};
inline constexpr double kBesselY1OtherF32[] = {0x1.29a9f40000000p+4};
inline constexpr double kBesselY1OtherF64[] = {0x1.29a9f48f3d72ep+4};

// The bits of 2 / pi, from that of 2^63 on, 64 in each number.
inline constexpr uint64_t kTwoOverPi[] = {
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

// exp(r) = 1 + r + r^2 P(r)
// Off by at most 2^-23.86.
inline constexpr double kExpF32[] = {
    0x1.0000000000000p-1, 0x1.5554dc0000000p-3, 0x1.5555180000000p-5,
    0x1.120c620000000p-7, 0x1.6d11fe0000000p-10
};
// Off by at most 2^-52.93.
inline constexpr double kExpF64[] = {
    0x1.0000000000001p-1, 0x1.5555555555556p-3, 0x1.5555555553d05p-5,
    0x1.1111111110996p-7, 0x1.6c16c178b0646p-10, 0x1.a01a01a7da98dp-13,
    0x1.a019b87f7a6e9p-16, 0x1.71de0d573888bp-19, 0x1.28922d8c8d4fbp-22,
    0x1.af39789bfd689p-26
};

// exp2(r) = 1 + r log(2) + r^2 P(r)
// Off by at most 2^-24.91.
inline constexpr double kExp2F32[] = {
    0x1.ebfbe00000000p-3, 0x1.c6afec0000000p-5, 0x1.3b2a800000000p-7,
    0x1.5ec9b00000000p-10, 0x1.43e7fa0000000p-13
};
// Off by at most 2^-53.8.
inline constexpr double kExp2F64[] = {
    0x1.ebfbdff82c590p-3, 0x1.c6b08d704a0c0p-5, 0x1.3b2ab6fba3804p-7,
    0x1.5d87fe78a5d9ep-10, 0x1.430913039a652p-13, 0x1.ffcbfc62140e6p-17,
    0x1.62bfe3e1f42e8p-20, 0x1.b525080c0e359p-24, 0x1.e5eb174f596a7p-28,
    0x1.e9bcd4e31cbbap-32
};

// exp10(r) = 1 + r log(10) + r^2 P(r)
// Off by at most 2^-21.21.
inline constexpr double kExp10F32[] = {
    0x1.53524c0000000p+1, 0x1.046ffc0000000p+1, 0x1.2bd72c0000000p+0,
    0x1.15282a0000000p-1, 0x1.a911f60000000p-3
};
// Off by at most 2^-50.36.
inline constexpr double kExp10F64[] = {
    0x1.53524c73cea6ap+1, 0x1.0470591de2ca5p+1, 0x1.2bd7609fd8369p+0,
    0x1.1429ffd1d45e6p-1, 0x1.a7ed70932851dp-3, 0x1.16e4dfc865d6dp-4,
    0x1.411677f1e991ap-6, 0x1.48979c64be18bp-8, 0x1.2f5650d0e328dp-10,
    0x1.fbcacff281529p-13
};

// log(1 + f) = f + f^2 P(f)
// Off by at most 2^-27.27.
inline constexpr double kLogF32[] = {
    -0x1.0000000000000p-1, 0x1.55554e0000000p-2, -0x1.0000080000000p-2,
    0x1.99a1300000000p-3, -0x1.5559e60000000p-3, 0x1.237a560000000p-3,
    -0x1.fcc1ae0000000p-4, 0x1.e3d33a0000000p-4, -0x1.d962f20000000p-4,
    0x1.15425c0000000p-4
};
// Off by at most 2^-57.67.
inline constexpr double kLogF64[] = {
    -0x1.0000000000000p-1, 0x1.5555555555556p-2, -0x1.0000000000023p-2,
    0x1.99999999995b4p-3, -0x1.555555554f613p-3, 0x1.24924924bb7f3p-3,
    -0x1.000000032a3bfp-3, 0x1.c71c71b0e4c8cp-4, -0x1.999997e043d16p-4,
    0x1.745d19c12a3e2p-4, -0x1.55559a56f4d74p-4, 0x1.3b13b0170b913p-4,
    -0x1.248bcf9445c16p-4, 0x1.110a2d0520b86p-4, -0x1.005c6a487093cp-4,
    0x1.e3563f3dbe6fcp-5, -0x1.c18b98ee208c7p-5, 0x1.9d7de44e09c68p-5,
    -0x1.a819e6c8ef461p-5, 0x1.eae53af3a72f6p-5, -0x1.b84eb3675fb3bp-5,
    0x1.71fa6946fffa4p-6
};

// log2(1 + f) = f / log(2) + f^2 P(f)
// Off by at most 2^-25.72.
inline constexpr double kLog2F32[] = {
    -0x1.7154760000000p-1, 0x1.ec70940000000p-2, -0x1.7154800000000p-2,
    0x1.277c3e0000000p-2, -0x1.ec77320000000p-3, 0x1.a483800000000p-3,
    -0x1.6efd840000000p-3, 0x1.5d018c0000000p-3, -0x1.5579e80000000p-3,
    0x1.9000220000000p-4
};
// Off by at most 2^-55.44.
inline constexpr double kLog2F64[] = {
    -0x1.71547652b82fep-1, 0x1.ec709dc3a03ffp-2, -0x1.71547652b8331p-2,
    0x1.2776c50ef992fp-2, -0x1.ec709dc397a8fp-3, 0x1.a61762a7e9622p-3,
    -0x1.71547657491bap-3, 0x1.484b13c7b9630p-3, -0x1.2776c3d09e9f0p-3,
    0x1.0c9a86638e6fap-3, -0x1.ec710151bb978p-4, 0x1.c68f54e7e1663p-4,
    -0x1.a60e0b4bce24ap-4, 0x1.89e9c06e144dap-4, -0x1.71d9ca02b913bp-4,
    0x1.5ca7646d57245p-4, -0x1.4447448282d92p-4, 0x1.2a4571408460ap-4,
    -0x1.31eca1162a508p-4, 0x1.621b300a69dbfp-4, -0x1.3d9d5af6b5c7bp-4,
    0x1.0ae201756d98bp-5
};

// log10(1 + f) = f / log(10) + f^2 P(f)
// Off by at most 2^-27.04.
inline constexpr double kLog10F32[] = {
    -0x1.bcb7b20000000p-3, 0x1.287a700000000p-3, -0x1.bcb7be0000000p-4,
    0x1.63ccbe0000000p-4, -0x1.287e6c0000000p-4, 0x1.fa59520000000p-5,
    -0x1.b9e67c0000000p-5, 0x1.a43ec20000000p-5, -0x1.9b2da60000000p-5,
    0x1.e1a60c0000000p-6
};
// Off by at most 2^-56.52.
inline constexpr double kLog10F64[] = {
    -0x1.bcb7b1526e50ep-3, 0x1.287a7636f4360p-3, -0x1.bcb7b1526e54cp-4,
    0x1.63c6277524d75p-4, -0x1.287a7636ef0a1p-4, 0x1.fc3fa61557f3dp-5,
    -0x1.bcb7b157edd64p-5, 0x1.8b4df2e0a40acp-5, -0x1.63c625f5ce52ep-5,
    0x1.436e549259b7cp-5, -0x1.287ab2271e835p-5, 0x1.11ac1d5c74aebp-5,
    -0x1.fc3466996957cp-6, 0x1.da51917b0775cp-6, -0x1.bd583bf80e979p-6,
    0x1.a3d2339047875p-6, -0x1.867857b4cbec4p-6, 0x1.672785af5e0c9p-6,
    -0x1.705e9e45781f5p-6, 0x1.aa62e811246ddp-6, -0x1.7e723832dceefp-6,
    0x1.415be46ed512bp-7
};

// sin(r) = r + r^3 P(r^2)
// Off by at most 2^-27.57.
inline constexpr double kSinF32[] = {
    -0x1.5555560000000p-3, 0x1.11110e0000000p-7, -0x1.a012dc0000000p-13,
    0x1.6d7e140000000p-19
};
// Off by at most 2^-56.51.
inline constexpr double kSinF64[] = {
    -0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a0196dbp-13,
    0x1.71de3a5419402p-19, -0x1.ae64539a9b45fp-26, 0x1.612122a74546ep-33,
    -0x1.aae2f978ef2dbp-41
};

// cos(r) = 1 - r^2 / 2 + r^4 P(r^2)
// Off by at most 2^-28.57.
inline constexpr double kCosF32[] = {
    0x1.5555540000000p-5, -0x1.6c12560000000p-10, 0x1.9b96a20000000p-16
};
// Off by at most 2^-58.55.
inline constexpr double kCosF64[] = {
    0x1.5555555555555p-5, -0x1.6c16c16c1687bp-10, 0x1.a01a019f188a6p-16,
    -0x1.27e4f9d3bf9f5p-22, 0x1.1eeb240f0b104p-29, -0x1.904d7f97662cfp-37
};

// tan(r) = r + r^3 P(r^2)
// Off by at most 2^-26.06.
inline constexpr double kTanF32[] = {
    0x1.5555560000000p-2, 0x1.1110400000000p-3, 0x1.ba6a800000000p-5,
    0x1.60d0a40000000p-6, 0x1.5022e80000000p-7, 0x1.7d05140000000p-11,
    0x1.0d2ade0000000p-8
};
// Off by at most 2^-54.39.
inline constexpr double kTanF64[] = {
    0x1.5555555555556p-2, 0x1.1111111110fd5p-3, 0x1.ba1ba1ba3ec03p-5,
    0x1.664f487677a03p-6, 0x1.226e379d0ed53p-7, 0x1.d6d352dd95e49p-9,
    0x1.7dac5fa5351dap-10, 0x1.34e8561bf026cp-11, 0x1.fd1f5e8f90ef7p-13,
    0x1.6708b9636d964p-14, 0x1.0dc42b915f1a7p-14, -0x1.80a09cc09f314p-16,
    0x1.8b56b60f55a99p-15, -0x1.9089055c7f4bep-16, 0x1.4835dd73cf86bp-17
};

// atan(r) = r + r^3 P(r^2)
// Off by at most 2^-25.69.
inline constexpr double kAtanF32[] = {
    -0x1.5555560000000p-2, 0x1.9998f20000000p-3, -0x1.2473480000000p-3,
    0x1.c2d7820000000p-4, -0x1.51538a0000000p-4, 0x1.5a2b0e0000000p-5
};
// Off by at most 2^-55.58.
inline constexpr double kAtanF64[] = {
    -0x1.5555555555555p-2, 0x1.99999999998e1p-3, -0x1.2492492488296p-3,
    0x1.c71c71c01b24cp-4, -0x1.745d16026efd7p-4, 0x1.3b138e6372dcap-4,
    -0x1.110ea50256abfp-4, 0x1.e1a7b2562efc5p-5, -0x1.ad44da04adea3p-5,
    0x1.7b20b751c966ap-5, -0x1.37d750492dd9bp-5, 0x1.99b4e0c058248p-6,
    -0x1.2dfbaab9786efp-7
};

// asin(r) = r + r^3 P(r^2)
// Off by at most 2^-25.01.
inline constexpr double kAsinF32[] = {
    0x1.5555540000000p-3, 0x1.3337280000000p-4, 0x1.6c98e40000000p-5,
    0x1.075c940000000p-5, 0x1.9609c60000000p-7, 0x1.5153480000000p-5
};
// Off by at most 2^-55.76.
inline constexpr double kAsinF64[] = {
    0x1.5555555555555p-3, 0x1.3333333333201p-4, 0x1.6db6db6dda07ep-5,
    0x1.f1c71c5857137p-6, 0x1.6e8ba7b5f70ecp-6, 0x1.1c4e39b3d0989p-6,
    0x1.c9ae177ff56e1p-7, 0x1.79804300ef039p-7, 0x1.492327f4d5bedp-7,
    0x1.af0f97f177c88p-8, 0x1.fe51a73fa51cfp-7, -0x1.4619a9cddeb1ep-6,
    0x1.fe9d93ee63257p-5, -0x1.1efb645c9c0e2p-4, 0x1.bf199d84a11f1p-5
};

// sinh(r) = r + r^3 P(r^2)
// Off by at most 2^-27.49.
inline constexpr double kSinhF32[] = {
    0x1.5555560000000p-3, 0x1.11111e0000000p-7, 0x1.a009000000000p-13,
    0x1.78a70e0000000p-19
};
// Off by at most 2^-56.56.
inline constexpr double kSinhF64[] = {
    0x1.5555555555555p-3, 0x1.1111111111111p-7, 0x1.a01a01a01a001p-13,
    0x1.71de3a556f96cp-19, 0x1.ae6456792a77fp-26, 0x1.612467ccb2260p-33,
    0x1.ae777c36fd5b6p-41, 0x1.99f0806c2628dp-49
};

// erf(r) = r + r P(r^2)
// Off by at most 2^-29.16.
inline constexpr double kErfF32[] = {
    0x1.06eba80000000p-3, -0x1.8127460000000p-2, 0x1.ce2f080000000p-4,
    -0x1.b829c80000000p-6, 0x1.562a600000000p-8, -0x1.bccf660000000p-11,
    0x1.d887500000000p-14, -0x1.445f480000000p-17
};
// Off by at most 2^-56.16.
inline constexpr double kErfF64[] = {
    0x1.06eba8214db69p-3, -0x1.812746b0379e7p-2, 0x1.ce2f21a042bdep-4,
    -0x1.b82ce312889bap-6, 0x1.565bcd0e6502dp-8, -0x1.c02db3feeb579p-11,
    0x1.f9a326c233146p-14, -0x1.f4d2561aeafd4p-17, 0x1.b9e6509b9867dp-20,
    -0x1.5f6d925a0bc7ap-23, 0x1.fc4356498c2d9p-27, -0x1.4e607b41a6416p-30,
    0x1.7f072188e194dp-34, -0x1.29b9f1b3df556p-38
};

// (1 + 2 x) exp(x^2) erfc(x) = ErfcxOf4 + t P(t), t = (x - 4) / (x + 4)
// Off by at most 2^-26.81.
inline constexpr double kErfcxF32[] = {
    -0x1.1df1ae0000000p-3, 0x1.f7f6060000000p-7, 0x1.16ed0e0000000p-4,
    -0x1.9ddbd20000000p-4, 0x1.7fec320000000p-4, -0x1.0fa9280000000p-4,
    0x1.308c440000000p-5, -0x1.09e9080000000p-6, 0x1.48d5aa0000000p-8,
    -0x1.68ee5c0000000p-11, -0x1.ac32080000000p-13, 0x1.7520c60000000p-14
};
// Off by at most 2^-56.77.
inline constexpr double kErfcxF64[] = {
    -0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd7c4p-7, 0x1.16ecefcfa5394p-4,
    -0x1.9ddb23c3e916bp-4, 0x1.7fee004e1258bp-4, -0x1.0fb06dfe47b1bp-4,
    0x1.3079edf6819ccp-5, -0x1.09623885935b4p-6, 0x1.49c67286bde50p-8,
    -0x1.8d4a992fbc538p-11, -0x1.a1df262961183p-13, 0x1.3be0293926606p-13,
    -0x1.99591f2aa47e0p-16, -0x1.787f185e2cdc8p-17, 0x1.7f2660b35ee7ep-18,
    0x1.379056db75e6dp-22, -0x1.bae2b1da90c5dp-21, 0x1.582c605896447p-24,
    0x1.d6d33849e3536p-24, -0x1.8b828fca0d0c9p-26, -0x1.dc125ff5b0e2ap-27,
    0x1.2ed3377e5b746p-28, 0x1.46082cd719868p-30, -0x1.127210a2c25a6p-31
};

// (1 + x) exp(x^2) erfc(x) = FullErfcxOf4 + t P(t), t as before
// Off by at most 2^-26.82.
inline constexpr double kFullErfcxF32[] = {
    -0x1.9841f80000000p-3, 0x1.df6f7c0000000p-4, -0x1.89dfe20000000p-5,
    0x1.03a2760000000p-8, 0x1.f5c3ee0000000p-7, -0x1.1eee580000000p-6,
    0x1.8e7a040000000p-7, -0x1.8e58c80000000p-8, 0x1.15f9d00000000p-9,
    -0x1.87deba0000000p-12, -0x1.1c1bf20000000p-14, 0x1.abd9f00000000p-15,
    -0x1.b3ca1c0000000p-18
};
// Off by at most 2^-56.5.
inline constexpr double kFullErfcxF64[] = {
    -0x1.9841f8fe19461p-3, 0x1.df6f7856005dcp-4, -0x1.89dfde1d976bbp-5,
    0x1.03a843937a7c7p-8, 0x1.f5c2a4256ddbbp-7, -0x1.1ef9faf802ac3p-6,
    0x1.8e8471e2fbaccp-7, -0x1.8db87b4b8c5e3p-8, 0x1.15675300cffbdp-9,
    -0x1.98b3699208239p-12, -0x1.f876c4a960d7ap-15, 0x1.0c929874e400bp-14,
    -0x1.b947061cb4e2cp-17, -0x1.15b8117680f28p-18, 0x1.63b4ccae37260p-19,
    0x1.0c35006e851d0p-28, -0x1.871b464714c5ep-22, 0x1.b9e77b63c5256p-25,
    0x1.95aec9f1b453cp-25, -0x1.8a9407acf3308p-27, -0x1.adfd8f7497737p-28,
    0x1.d8155a17e9816p-30, 0x1.aaf03def69121p-31, -0x1.3f00f15b5c0d7p-33,
    -0x1.11c51aada17f6p-34
};

// erfinv(r) = r + r P(r^2)
// Off by at most 2^-27.8.
inline constexpr double kErfInvF32[] = {
    -0x1.d203b60000000p-4, 0x1.db29da0000000p-3, 0x1.0544540000000p-3,
    0x1.6106020000000p-4, 0x1.1a79a80000000p-4, 0x1.e98cfa0000000p-6,
    0x1.8f24ae0000000p-4
};
// Off by at most 2^-57.2.
inline constexpr double kErfInvF64[] = {
    -0x1.d203b725884abp-4, 0x1.db29fb2fee689p-3, 0x1.053c2c0aaea5bp-3,
    0x1.62847c5030b10p-4, 0x1.0a1316e360adep-4, 0x1.a7c8c9862a980p-5,
    0x1.5ee26d79186fep-5, 0x1.2b3241ebd123ep-5, 0x1.fe489d940b004p-6,
    0x1.02cffec11edfbp-5, 0x1.14c247c497d2ap-7, 0x1.2cda1f60e8ff3p-4,
    -0x1.3798f596e9a6ep-4, 0x1.cf6da366a6ea3p-4
};

// erfcinv(exp(-s^2)) = s + s P((s - 2) / (s + 2))
// Off by at most 2^-28.37.
inline constexpr double kErfcInvStartF64[] = {
    -0x1.53c671243c1efp-3, 0x1.b9427e59552bap-2, -0x1.b1eefc786f0a8p-2,
    0x1.9d930714eabb0p-3, 0x1.b87fee98b836bp-8, -0x1.06762924306d7p-3,
    0x1.1a6fc10d50d1ap-3, -0x1.28224b0485bf4p-4, -0x1.0009aba6e08f8p-6,
    0x1.24f90966520a5p-4, -0x1.1669a1bd59825p-4, 0x1.a437a3bb042f5p-6,
    0x1.ee877d8560207p-9, -0x1.3263c2fe5e55bp-8
};

// log2(1 + f) = f P(f), of float32 in float64
// Off by at most 2^-37.51.
inline constexpr double kPowLog2F32[] = {
    0x1.71547652b5270p+0, -0x1.71547651d9376p-1, 0x1.ec709de7df48dp-2,
    -0x1.7154784e5d08ep-2, 0x1.2776b48f57946p-2, -0x1.ec6f47f38905dp-3,
    0x1.a61c50cd4bc62p-3, -0x1.7186b110dbb40p-3, 0x1.480da32d9077ap-3,
    -0x1.23e34ff2dfed7p-3, 0x1.0b872a83448f7p-3, -0x1.140c67e94fcdep-3,
    0x1.0c91c8ec04459p-3, -0x1.16c9192143833p-4
};

// exp2(r) = P(r), of float32 in float64
// Off by at most 2^-34.45.
inline constexpr double kPowExp2F32[] = {
    0x1.ffffffffa5a44p-1, 0x1.62e42fef9caa5p-1, 0x1.ebfbe0ac296cdp-3,
    0x1.c6b08da7b5ff0p-5, 0x1.3b29d6f1f418cp-7, 0x1.5d87747ec37c6p-10,
    0x1.446de6e76e98fp-13, 0x1.00c1c598f4520p-16
};

// 2 atanh(s) = 2 s + 2/3 s^3 + s^5 P(s^2)
// Off by at most 2^-55.1.
inline constexpr double kPowAtanhF64[] = {
    0x1.999999999999ap-2, 0x1.2492492492521p-2, 0x1.c71c71c6eaa8dp-3,
    0x1.745d177a8f200p-3, 0x1.3b1395d4f9e5fp-3, 0x1.1118c74823a2ep-3,
    0x1.df7ce9a6bcccbp-4, 0x1.e02d197c00c78p-4
};

// log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 + P(1 / x^2) / x
// Off by at most 2^-57.58.
inline constexpr double kStirlingF64[] = {
    0x1.5555555555555p-4, -0x1.6c16c16c149f4p-9, 0x1.a01a017dcf9e1p-11,
    -0x1.38134d4f8896fp-11, 0x1.b92c33f9445e5p-11, -0x1.ef8d748aeb0f2p-10,
    0x1.4bffc9d8b455bp-8
};

// log(gamma(2 + d)) = LogGamma1 d + LogGamma2 d^2 + d^3 P(d)
// Off by at most 2^-56.02.
inline constexpr double kLogGammaF64[] = {
    -0x1.13e001a557607p-4, 0x1.51322ac7d8464p-6, -0x1.e404fc218e09fp-8,
    0x1.7add6eadc8b75p-9, -0x1.38ac5c2e78084p-10, 0x1.0b36af6a4f04ep-11,
    -0x1.d3fd493eff093p-13, 0x1.a127d95f1d7fcp-14, -0x1.78df1b3a4e7fap-15,
    0x1.57ff32a7c45fdp-16, -0x1.3cc444362a419p-17, 0x1.281b36a43b98dp-18,
    -0x1.0764461f50843p-19, 0x1.bbfddd25c35a3p-21, -0x1.303c7ec709316p-20,
    -0x1.0b170f455a70cp-21, 0x1.155b2f9703651p-20, 0x1.1d8c16b65f2efp-18,
    0x1.7b094c294ea73p-18, 0x1.1a4395f3675b2p-18, 0x1.c92e2476968bep-20,
    0x1.4cdc62e80d74dp-22
};

// J0(x) = 1 + z P(z), z = x^2
// Off by at most 2^-58.62.
inline constexpr double kBesselJ0StartF64[] = {
    -0x1.0000000000000p-2, 0x1.fffffffffffc0p-7, -0x1.c71c71c714706p-12,
    0x1.c71c71bb195a4p-18, -0x1.23455ef3ee671p-24, 0x1.02e20eb4098e5p-31,
    -0x1.4d926af895905p-39
};

// J0(x) = y (BesselJ0Other - x^2) P(x^2 - 13), y = x^2 - BesselJ0Square
// Off by at most 2^-63.95.
inline constexpr double kBesselJ0F64[] = {
    -0x1.97cd7f9024534p-9, 0x1.3bd100884343ap-13, -0x1.9ba1ac6bff745p-19,
    0x1.346cd644a838fp-25, -0x1.3081bf156d0d4p-32, 0x1.acbba470fe2c1p-40,
    -0x1.c59b623c77345p-48, 0x1.7680d5cd137fcp-56, -0x1.f08a182c5d812p-65,
    0x1.0e506949d50aap-73, -0x1.ec83310606a3dp-83, 0x1.8402b366a1ba2p-92
};

// J1(x) = x (1/2 + z P(z)), z = x^2
// Off by at most 2^-61.02.
inline constexpr double kBesselJ1StartF64[] = {
    -0x1.0000000000000p-4, 0x1.5555555555555p-9, -0x1.c71c71c71c61fp-15,
    0x1.6c16c16c0c948p-21, -0x1.845c8a06593b1p-28, 0x1.27e4f919ac95ep-35,
    -0x1.52294273ca66dp-43, 0x1.2c5778e2f2506p-51, -0x1.9a5ca55673c12p-60
};

// J1(x) = x y P(y), y = x^2 - BesselJ1Square
// Off by at most 2^-62.55.
inline constexpr double kBesselJ1F64[] = {
    -0x1.c1732b5146e92p-7, 0x1.e9cc41c7308d1p-11, -0x1.9e78df2d0456ep-16,
    0x1.7f56d6e281542p-22, -0x1.c3440a628d978p-29, 0x1.7164fe4254b56p-36,
    -0x1.bde6275255fc5p-44, 0x1.9dd51a9c4a73cp-52, -0x1.30bf773f94182p-60,
    0x1.6d02afadab559p-69, -0x1.6ac5c48749830p-78, 0x1.372a9a3b47e2ap-87
};

// Y0(x) = 2 / pi log(x / BesselY0Zero) J0(x) + y P(y),
// y = x^2 - BesselY0Square
// Off by at most 2^-58.2.
inline constexpr double kBesselY0F64[] = {
    0x1.5a5f5cb1bdd5ap-3, -0x1.03f3bf608b614p-6, 0x1.1a54278c5fc90p-11,
    -0x1.40a0ccdadc66bp-17, 0x1.c17aee8c1cb59p-24, -0x1.ac6373929c514p-31,
    0x1.27ddd1a812179p-38, -0x1.35ea85a3752c4p-46, 0x1.fcf88588eb905p-55,
    -0x1.42be179b7a813p-63
};

// Y0(x) = r P(r), r = x - BesselY0SecondZero
// Off by at most 2^-57.15.
inline constexpr double kBesselY0SecondF64[] = {
    -0x1.9c34256a12a0cp-2, 0x1.a09c9290367f0p-5, 0x1.df6d59bf50eb0p-5,
    -0x1.c116fdc59839dp-8, -0x1.1e32bc4ef74b7p-9, 0x1.99827651d6ddap-13,
    0x1.ab2c1fe9b170bp-15, -0x1.48637261801ddp-18, -0x1.3b21626a198bcp-22,
    -0x1.776e15334237dp-26, 0x1.452e78dad8636p-26, -0x1.f6c36a21e4fc5p-29,
    0x1.a54d5a21c2df2p-31, -0x1.951ac464963d6p-33, 0x1.98072f2db314dp-35,
    -0x1.99e55c98b6533p-37, 0x1.57398b57ea5cdp-41, -0x1.113dfa2e56070p-40,
    0x1.d17878ebb4758p-41, 0x1.ec6a48f749d9dp-42, 0x1.f747a3154b3d8p-44
};

// Y1(x) = 2 / pi (log(x / z) J1(x) + x / z^2 - 1 / x)
// + x (x^2 - z^2) (BesselY1Other - x^2) P(x^2 - 13),
// z = BesselY1Zero
// Off by at most 2^-65.3.
inline constexpr double kBesselY1F64[] = {
    0x1.151a52c7ffe31p-11, -0x1.5512ba3bc43c3p-16, 0x1.7c3b70927bed2p-22,
    -0x1.f924605ce69d5p-29, 0x1.c39a38e49d955p-36, -0x1.23f817d7ec9bcp-43,
    0x1.1e971203ada6bp-51, -0x1.ba70550183b5cp-60, 0x1.13e817c2d9854p-68,
    -0x1.1bfead76f80b9p-77, 0x1.eb226cf627174p-87, -0x1.731bf75afde1ap-96
};

// J0(x)^2 + Y0(x)^2 = P(1 / x^2)^2 / x
// Off by at most 2^-53.89.
inline constexpr double kBesselAmplitude0F64[] = {
    0x1.9884533d43651p-1, -0x1.9884533d3ff3ep-5, 0x1.524d94da0fd15p-4,
    -0x1.bb8610f86b6fbp-2, 0x1.2aa5385dbe461p+2, -0x1.54b445135010ep+6,
    0x1.24189f1b22e04p+11, -0x1.507d9fdbd4046p+16, 0x1.c7bda1566ca5ep+21,
    -0x1.3d6168b2a7222p+27, 0x1.9a8402ca1a608p+32, -0x1.cdde399c983adp+37,
    0x1.b1dc43ce9746cp+42, -0x1.4a93904acfef3p+47, 0x1.8e49cf19f53dep+51,
    -0x1.7096612edf825p+55, 0x1.f7c00c648be15p+58, -0x1.ddc9ef2c66a92p+61,
    0x1.185e6c379b52ap+64, -0x1.3250931e61a86p+65
};

// their angle is x - pi/4 - 0 pi/2 + P(1 / x^2) / x
// Off by at most 2^-53.68.
inline constexpr double kBesselPhase0F64[] = {
    -0x1.ffffffffffffbp-4, 0x1.0aaaaaaa96aaap-4, -0x1.ad3332bae867cp-3,
    0x1.a357ffc26c912p+0, -0x1.778dfc07a0e30p+4, 0x1.0b30034cfe103p+9,
    -0x1.10da8b9b51370p+14, 0x1.66777244512e5p+19, -0x1.096a4e9defab4p+25,
    0x1.86fcdc909db6bp+30, -0x1.05ba719c9d5a7p+36, 0x1.2ce9fc9a239bfp+41,
    -0x1.1eb2af8677357p+46, 0x1.b92444f79ce78p+50, -0x1.0b95db16ef499p+55,
    0x1.f1c792f924ce9p+58, -0x1.55786e3616175p+62, 0x1.44d814c9f7063p+65,
    -0x1.7e2650839b11bp+67, 0x1.a252323303308p+68
};

// J1(x)^2 + Y1(x)^2 = P(1 / x^2)^2 / x
// Off by at most 2^-54.16.
inline constexpr double kBesselAmplitude1F64[] = {
    0x1.9884533d43651p-1, 0x1.32633e6df1963p-3, -0x1.3bf65855dc92ap-3,
    0x1.48fa41a482b9dp-1, -0x1.8b383fa1a8c67p+2, 0x1.a73c9b52f948dp+6,
    -0x1.5d04d5c1756d9p+11, 0x1.884cd4ed7e72cp+16, -0x1.05ba2439ac69dp+22,
    0x1.6962d6fd7020ep+27, -0x1.d115ced988f86p+32, 0x1.04d719343d3bap+38,
    -0x1.e91b6bf08722ep+42, 0x1.743210ac17757p+47, -0x1.c00870d4b0b1fp+51,
    0x1.9e5ac5c51b205p+55, -0x1.1b034e8e7ef0cp+59, 0x1.0c53bfc9ab964p+62,
    -0x1.3ad187dad459bp+64, 0x1.57dee93a90eb6p+65
};

// their angle is x - pi/4 - 1 pi/2 + P(1 / x^2) / x
// Off by at most 2^-53.53.
inline constexpr double kBesselPhase1F64[] = {
    0x1.7ffffffffffffp-2, -0x1.4ffffffff4da5p-3, 0x1.7bcccc89c3ca3p-2,
    -0x1.2f4844d50f147p+1, 0x1.e9ee6f34b195ap+4, -0x1.48e37221ba52ep+9,
    0x1.440f24dc4f92ap+14, -0x1.a054f90beb07fp+19, 0x1.302bb95186ba9p+25,
    -0x1.bca23c944f67bp+30, 0x1.284d0c0069535p+36, -0x1.53bb111272bd1p+41,
    0x1.431d0c29db1c2p+46, -0x1.f096400dc8d3fp+50, 0x1.2cf76aef8edb5p+55,
    -0x1.17c4aea2cf6adp+59, 0x1.7fa899e2e5493p+62, -0x1.6cd91b89e6542p+65,
    0x1.ad16eec348717p+67, -0x1.d598cabc966c1p+68
};

} // namespace pyk

#endif // PYK_LIB_TARGET_MATH_COEFFICIENTS_H
