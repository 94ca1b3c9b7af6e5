// Functions of complex numbers at ordinary places, one of them close to 0, compared with
// Python's cmath: True where the distance from its result is small for the type.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=8 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: %if libdevice %{ pyk-run %s --emit=ptx -o %t.ptx %}
// RUN: %if libdevice %{ %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %} %}


!i1s = !pyk.array<?xi1, c>
!c128s = !pyk.array<?xcomplex<f64>, c>

// Whether `z` is as close to `w` as `part`, a part of its absolute value, says.
pyk.func @near(%z: complex<f64>, %w: complex<f64>, %part: f64) -> i1 {
  %a = complex.re %z : complex<f64>
  %b = complex.im %z : complex<f64>
  %c = complex.re %w : complex<f64>
  %d = complex.im %w : complex<f64>
  %x = arith.subf %a, %c : f64
  %y = arith.subf %b, %d : f64
  %distance = pyk.libdevice "hypot"(%x, %y) : (f64, f64) -> f64
  %size = pyk.libdevice "hypot"(%c, %d) : (f64, f64) -> f64
  %most = arith.mulf %size, %part : f64
  %is_near = arith.cmpf ole, %distance, %most : f64
  pyk.return %is_near : i1
}

// Roots, powers of e and logarithms.
// REDEFINE: %{kernel} = powers
// REDEFINE: %{args} = "--arg=c128[8]=0.5+0.25j,-1.5+2j,3-4j,-0.25-0.75j,1.5j,2.5+0j,1e-10-1e-12j,-7.5+0.125j" \
// REDEFINE:   "--arg=c128[8]=0.7276733451126774+0.17178037486125622j,0.7071067811865475+1.4142135623730951j,2-1j,0.5198891300277853-0.7213076372263415j,0.8660254037844386+0.8660254037844387j,1.5811388300841898+0j,1.0000124996093956e-05-4.999937502734213e-08j,0.02282098090298595+2.7387078699944203j" \
// REDEFINE:   "--arg=c128[8]=1.5974665191199127+0.4079001700783598j,-0.09285491028402633+0.2028916804701695j,-13.128783081462158+15.200784463067954j,0.5698398640435622-0.5308608000779941j,0.0707372016677029+0.9974949866040544j,12.182493960703473+0j,1.0000000001-1.0000000001e-12j,0.0005487690218416833+6.895564638771774e-05j" \
// REDEFINE:   "--arg=c128[8]=-0.5815754049028404+0.4636476090008061j,0.9162907318741551+2.214297435588181j,1.6094379124341003-0.9272952180016122j,-0.2350018146228678-1.892546881191539j,0.4054651081081644+1.5707963267948966j,0.9162907318741551+0j,-23.02580093244029-0.009999666686665238j,2.0150418901446017+3.1249275298758525j" \
// REDEFINE:   "--arg=c128[8]=-0.25257498915995297+0.20135959813668655j,0.3979400086720376+0.961657157568468j,0.6989700043360187-0.4027191962733731j,-0.10205999132796238-0.8219226672446944j,0.17609125905568124+0.6821881769209206j,0.3979400086720376+0j,-9.999978286361568-0.004342800062890486j,0.875121573693699+1.3571387825726418j" \
// REDEFINE:   --arg=bool[8]=zeros --arg=bool[8]=zeros --arg=bool[8]=zeros \
// REDEFINE:   --arg=bool[8]=zeros --print=5 --print=6 --print=7 --print=8
// RUN: %{test}
// powers: 5: bool[8] = [True, True, True, True, True, True, True, True]
// powers-NEXT: 6: bool[8] = [True, True, True, True, True, True, True, True]
// powers-NEXT: 7: bool[8] = [True, True, True, True, True, True, True, True]
// powers-NEXT: 8: bool[8] = [True, True, True, True, True, True, True, True]
pyk.func @powers(%z: !c128s, %sqrt: !c128s, %exp: !c128s, %log: !c128s, %log10: !c128s,
    %ok0: !i1s, %ok1: !i1s, %ok2: !i1s, %ok3: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 8, 1, 1>} {
  %part = arith.constant 4.0e-15 : f64
  %i = pyk.grid x : i64
  %zi = pyk.load %z[%i] : !c128s
  %e0 = pyk.load %sqrt[%i] : !c128s
  %f0 = pyk.complex.sqrt %zi : complex<f64>
  %n0 = pyk.call @near(%f0, %e0, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n0, %ok0[%i] : !i1s
  %e1 = pyk.load %exp[%i] : !c128s
  %f1 = pyk.complex.exp %zi : complex<f64>
  %n1 = pyk.call @near(%f1, %e1, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n1, %ok1[%i] : !i1s
  %e2 = pyk.load %log[%i] : !c128s
  %f2 = pyk.complex.log %zi : complex<f64>
  %n2 = pyk.call @near(%f2, %e2, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n2, %ok2[%i] : !i1s
  %e3 = pyk.load %log10[%i] : !c128s
  %f3 = pyk.complex.log10 %zi : complex<f64>
  %n3 = pyk.call @near(%f3, %e3, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n3, %ok3[%i] : !i1s
  pyk.return
}

// Sine, cosine and tangent.
// REDEFINE: %{kernel} = circle
// REDEFINE: %{args} = "--arg=c128[8]=0.5+0.25j,-1.5+2j,3-4j,-0.25-0.75j,1.5j,2.5+0j,1e-10-1e-12j,-7.5+0.125j" \
// REDEFINE:   "--arg=c128[8]=0.494485780933195+0.22168816414957482j,-3.752771340479298+0.2565539560904818j,3.853738037919377+27.016813258003932j,-0.320309770609702-0.796752896153128j,2.1292794550948173j,0.5984721441039565-0j,1e-10-1e-12j,-0.9453376483935719+0.04344233993362507j" \
// REDEFINE:   "--arg=c128[8]=0.9051501505596068-0.12110879604381165j,0.26612719531354573+3.6177750739401375j,-27.034945603074224+3.851153334811777j,1.2544347167045338-0.20344441524216456j,2.352409615243247-0j,-0.8011436155469337-0j,1+1e-22j,0.3493469342494621+0.11755557426544246j" \
// REDEFINE:   "--arg=c128[8]=0.504500702698564+0.31242069250258875j,-0.005362060922003057+1.036920282100185j,-0.0001873462046294784-0.999355987381473j,-0.14842931880709934-0.6592212421345232j,0.9051482536448664j,-0.7470222972386603+0j,1e-10-1e-12j,-2.3931820501698793+0.9296610284010076j" \
// REDEFINE:   --arg=bool[8]=zeros --arg=bool[8]=zeros --arg=bool[8]=zeros --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// circle: 4: bool[8] = [True, True, True, True, True, True, True, True]
// circle-NEXT: 5: bool[8] = [True, True, True, True, True, True, True, True]
// circle-NEXT: 6: bool[8] = [True, True, True, True, True, True, True, True]
pyk.func @circle(%z: !c128s, %sin: !c128s, %cos: !c128s, %tan: !c128s,
    %ok0: !i1s, %ok1: !i1s, %ok2: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 8, 1, 1>} {
  %part = arith.constant 4.0e-15 : f64
  %i = pyk.grid x : i64
  %zi = pyk.load %z[%i] : !c128s
  %e0 = pyk.load %sin[%i] : !c128s
  %f0 = pyk.complex.sin %zi : complex<f64>
  %n0 = pyk.call @near(%f0, %e0, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n0, %ok0[%i] : !i1s
  %e1 = pyk.load %cos[%i] : !c128s
  %f1 = pyk.complex.cos %zi : complex<f64>
  %n1 = pyk.call @near(%f1, %e1, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n1, %ok1[%i] : !i1s
  %e2 = pyk.load %tan[%i] : !c128s
  %f2 = pyk.complex.tan %zi : complex<f64>
  %n2 = pyk.call @near(%f2, %e2, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n2, %ok2[%i] : !i1s
  pyk.return
}

// Hyperbolic sine, cosine and tangent.
// REDEFINE: %{kernel} = hyperbola
// REDEFINE: %{args} = "--arg=c128[8]=0.5+0.25j,-1.5+2j,3-4j,-0.25-0.75j,1.5j,2.5+0j,1e-10-1e-12j,-7.5+0.125j" \
// REDEFINE:   "--arg=c128[8]=0.504895714387995+0.2789791283502615j,0.8860929093625314+2.139040009980677j,-6.5481200409110025+7.61923172032141j,-0.18483362034896397-0.7030511464737356j,0.9974949866040544j,6.0502044810397875+0j,1e-10-1e-12j,-896.9674585529839+112.7086374635697j" \
// REDEFINE:   "--arg=c128[8]=1.0925708047319176+0.12892104172809826j,-0.9789478196465577-1.936148329510507j,-6.580663040551157+7.581552742746545j,0.7546734843925261+0.1721903463957415j,0.0707372016677029+0j,6.132289479663686+0j,1-1e-22j,896.9680073220056-112.70856850792333j" \
// REDEFINE:   "--arg=c128[8]=0.4854872810241353+0.19805544995134958j,-1.064144399176537-0.08039101531016819j,1.000709536067233-0.00490825806749606j,-0.4348392206120774-0.8323812131225697j,14.101419947171719j,0.9866142981514303+0j,1e-10-1e-12j,-0.999999407215048+1.5136280074896582e-07j" \
// REDEFINE:   --arg=bool[8]=zeros --arg=bool[8]=zeros --arg=bool[8]=zeros --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// hyperbola: 4: bool[8] = [True, True, True, True, True, True, True, True]
// hyperbola-NEXT: 5: bool[8] = [True, True, True, True, True, True, True, True]
// hyperbola-NEXT: 6: bool[8] = [True, True, True, True, True, True, True, True]
pyk.func @hyperbola(%z: !c128s, %sinh: !c128s, %cosh: !c128s, %tanh: !c128s,
    %ok0: !i1s, %ok1: !i1s, %ok2: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 8, 1, 1>} {
  %part = arith.constant 4.0e-15 : f64
  %i = pyk.grid x : i64
  %zi = pyk.load %z[%i] : !c128s
  %e0 = pyk.load %sinh[%i] : !c128s
  %f0 = pyk.complex.sinh %zi : complex<f64>
  %n0 = pyk.call @near(%f0, %e0, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n0, %ok0[%i] : !i1s
  %e1 = pyk.load %cosh[%i] : !c128s
  %f1 = pyk.complex.cosh %zi : complex<f64>
  %n1 = pyk.call @near(%f1, %e1, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n1, %ok1[%i] : !i1s
  %e2 = pyk.load %tanh[%i] : !c128s
  %f2 = pyk.complex.tanh %zi : complex<f64>
  %n2 = pyk.call @near(%f2, %e2, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n2, %ok2[%i] : !i1s
  pyk.return
}

// What has a sine, cosine or tangent.
// REDEFINE: %{kernel} = arcs
// REDEFINE: %{args} = "--arg=c128[8]=0.5+0.25j,-1.5+2j,3-4j,-0.25-0.75j,1.5j,2.5+0j,1e-10-1e-12j,-7.5+0.125j" \
// REDEFINE:   "--arg=c128[8]=0.5016088532755008+0.28139605624529274j,-0.6065115181997547+1.6224941488715938j,0.6339838656391766-2.305509031243477j,-0.19986691917327257-0.705289448779167j,1.1947632172871094j,1.5707963267948966+1.5667992369724109j,1e-10-1e-12j,-1.5539811349870254+2.703718486486941j" \
// REDEFINE:   "--arg=c128[8]=1.069187473519396-0.28139605624529274j,2.1773078449946515-1.6224941488715938j,0.9368124611557198+2.305509031243477j,1.7706632459681693+0.705289448779167j,1.5707963267948966-1.1947632172871094j,-1.5667992369724109j,1.5707963266948965+1e-12j,3.124777461781922-2.703718486486941j" \
// REDEFINE:   "--arg=c128[8]=0.4842544903299662+0.20058661813123432j,-1.311223269671635+0.3104282830771958j,1.4483069952314644-0.15899719167999918j,-0.4636476090008061-0.8047189562170501j,1.5707963267948966+0.8047189562170501j,1.1902899496825317+0j,1e-10-9.999999999999998e-13j,-1.4382805395501528+0.002182824235643372j" \
// REDEFINE:   --arg=bool[8]=zeros --arg=bool[8]=zeros --arg=bool[8]=zeros --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// arcs: 4: bool[8] = [True, True, True, True, True, True, True, True]
// arcs-NEXT: 5: bool[8] = [True, True, True, True, True, True, True, True]
// arcs-NEXT: 6: bool[8] = [True, True, True, True, True, True, True, True]
pyk.func @arcs(%z: !c128s, %asin: !c128s, %acos: !c128s, %atan: !c128s,
    %ok0: !i1s, %ok1: !i1s, %ok2: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 8, 1, 1>} {
  %part = arith.constant 4.0e-15 : f64
  %i = pyk.grid x : i64
  %zi = pyk.load %z[%i] : !c128s
  %e0 = pyk.load %asin[%i] : !c128s
  %f0 = pyk.complex.asin %zi : complex<f64>
  %n0 = pyk.call @near(%f0, %e0, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n0, %ok0[%i] : !i1s
  %e1 = pyk.load %acos[%i] : !c128s
  %f1 = pyk.complex.acos %zi : complex<f64>
  %n1 = pyk.call @near(%f1, %e1, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n1, %ok1[%i] : !i1s
  %e2 = pyk.load %atan[%i] : !c128s
  %f2 = pyk.complex.atan %zi : complex<f64>
  %n2 = pyk.call @near(%f2, %e2, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n2, %ok2[%i] : !i1s
  pyk.return
}

// What has a hyperbolic one.
// REDEFINE: %{kernel} = areas
// REDEFINE: %{args} = "--arg=c128[8]=0.5+0.25j,-1.5+2j,3-4j,-0.25-0.75j,1.5j,2.5+0j,1e-10-1e-12j,-7.5+0.125j" \
// REDEFINE:   "--arg=c128[8]=0.4926756834207706+0.2243284526346675j,-1.6004100552346137+0.887765146183905j,2.2999140408792695-0.9176168533514787j,-0.34657359027997264-0.7853981633974483j,0.9624236501192069+1.5707963267948966j,1.6472311463710958+0j,1e-10-1e-12j,-2.712600553350737+0.01651900166147015j" \
// REDEFINE:   "--arg=c128[8]=0.28139605624529274+1.069187473519396j,1.6224941488715938+2.1773078449946515j,2.305509031243477-0.9368124611557198j,0.705289448779167-1.7706632459681693j,1.1947632172871094+1.5707963267948966j,1.5667992369724109+0j,1e-12-1.5707963266948965j,2.703718486486941+3.124777461781922j" \
// REDEFINE:   "--arg=c128[8]=0.5003700000525311+0.3143981432077165j,-0.22008968066202295+1.2452579660726568j,0.1175009073114339-1.4099210495965755j,-0.15899719167999918-0.6629088318340163j,0.982793723247329j,0.42364893019360184+1.5707963267948966j,1e-10-1e-12j,-0.13409361466648592+1.5685345384339688j" \
// REDEFINE:   --arg=bool[8]=zeros --arg=bool[8]=zeros --arg=bool[8]=zeros --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// areas: 4: bool[8] = [True, True, True, True, True, True, True, True]
// areas-NEXT: 5: bool[8] = [True, True, True, True, True, True, True, True]
// areas-NEXT: 6: bool[8] = [True, True, True, True, True, True, True, True]
pyk.func @areas(%z: !c128s, %asinh: !c128s, %acosh: !c128s, %atanh: !c128s,
    %ok0: !i1s, %ok1: !i1s, %ok2: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 8, 1, 1>} {
  %part = arith.constant 4.0e-15 : f64
  %i = pyk.grid x : i64
  %zi = pyk.load %z[%i] : !c128s
  %e0 = pyk.load %asinh[%i] : !c128s
  %f0 = pyk.complex.asinh %zi : complex<f64>
  %n0 = pyk.call @near(%f0, %e0, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n0, %ok0[%i] : !i1s
  %e1 = pyk.load %acosh[%i] : !c128s
  %f1 = pyk.complex.acosh %zi : complex<f64>
  %n1 = pyk.call @near(%f1, %e1, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n1, %ok1[%i] : !i1s
  %e2 = pyk.load %atanh[%i] : !c128s
  %f2 = pyk.complex.atanh %zi : complex<f64>
  %n2 = pyk.call @near(%f2, %e2, %part) : (complex<f64>, complex<f64>, f64) -> i1
  pyk.store %n2, %ok2[%i] : !i1s
  pyk.return
}
