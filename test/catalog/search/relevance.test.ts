import { expect } from 'chai'
import { openDemoMirror } from '../demo-mirror.ts'
import type { TestMirror } from '../test-mirror.ts'

/** What a shopper types, and a product that must be among the first three. */
const table = `
brake pads | BP-1040
pads brake | BP-1040
discs | BD-1032
BP1001 | BP-1001
OZ-55692 | BP-1001
CRV | FM-1013
20w50 | HX#1?A=B
sparkplug | SP-1036
toyota camry 2010 brake pad | BP-1026
camry brake pads | BP-1026
brake padz | BP-1040
"brake pad" | BP-1040
oil,filter | OF-1044
heavy duty | ÑANDÚ-ÖL 5W
brake disk | BD-1032
frnt brake pads | BP-1038
corolla shocks | SA-1022
senalux | ÑANDÚ-ÖL 5W
seńałux heavy duty | ÑANDÚ-ÖL 5W
brake shøes | BS-1020
đrıveshaft | DS-1022
brukke radiator | RD-1018
h4 bulb | LB-1017
205/55r16 | TY-1013
tyre 205 55 16 | TY-1013
tire | TY-1024
battery | BT-1026
batteries | BT-1026
wiper 22 | WI-1018
wipers 22 in | WI-1018
f150 shock absorber | SA-1023
d-max starter | SM-1002
dmax starter motor | SM-1002
3 series brake pads | BP-1040
rav4 oil filter | OF-1026
mazda 3 air filter | AF-1018
oil filter hilux 2017 | OF-1041
cabin filter | CF-1028
tie rod | TR-1028
tierod end | TR-1028
stabilizer link | SL-1026
silencers | SI-1020
alternatr | AL-1024
radiater | RD-1028
clutch kit swift | CK-1003
front left caliper | BC-1024
m12x1.5 | WN-1012
wheel nut m12 | WN-1012
brake fluid dot4 | BF-1012
dot 4 | BF-1012
atf | TF-1011
cvt fluid | TF-1009
75w90 | TF-1014
5w-30 | OL-1017
engine oil 5w30 | OL-1017
front brake pads | BP-1038
rear brake pads | BP-1040
brake pad set heavy duty | BP-1035
brake shoes | BS-1020
rear shoes hilux | BS-1017
brake drum | BR-1020
drums | BR-1020
brake calliper | BC-1024
wheel cylinder | WC-1020
wheel cilinder | WC-1020
brake fluid | BF-1012
spark plugs | SP-1036
ignition coil civic | IC-1026
glowplug | GP-1016
drive belt | DB-1030
drivebelt | DB-1030
timing kit | TK-1022
head gaskets | HG-1020
headgasket | HG-1020
engine mounts | EM-1028
left engine mount | EM-1027
fuel pump | FP-1024
fuelpump | FP-1024
fuel injectors | FI-1022
oil filters | OF-1044
oil filter corolla | OF-1029
oilfilter | OF-1044
air filter honda fit | AF-1022
cabin filters | CF-1028
fuel filter d-max | FF-1023
engine oil | HX#1?A=B
oil 0w20 | OL-1024
0w-20 | OL-1024
15w40 | OL-1023
10W 40 | OL-1019
transmission fluid | TF-1014
coolant | CL-1014
grease | GR-1010
radiators | RD-1028
radiator nissan tiida | RD-1007
radiator hose upper | RH-1026
upper hose | RH-1026
condenser | CN-1019
water pumps | WP-1026
waterpump | WP-1026
thermostat | TH-1022
shock absorbers | SA-1036
shockabsorber | SA-1036
front left shock | SA-1033
coil springs | CS-1024
control arm | CA-1028
stabiliser link | SL-1026
tie rod ends | TR-1028
steering rack | SR-1016
wheel bearings | WB-1032
wheel bearing front | WB-1032
clutch | CK-1022
clutch kit isuzu | CK-1022
drive shaft | DS-1022
driveshaft | DS-1022
oxygen sensor | OX-1024
batteries ford | BT-1026
alternator lancer | AL-1023
starter | SM-1022
starter motor | SM-1022
bulbs | LB-1024
h7 | LB-1023
bulb h7 55w | LB-1023
headlamps | HL-1026
head lamp | HL-1026
tail lamp left | TL-1024
taillamp | TL-1024
blade fuse 10a | FU-1011
10 a fuse | FU-1011
fuses 30A | FU-1014
crimp terminals | TE-1012
cable 2.5mm | CB-1012
automotive cable 6 mm | CB-1009
wiper blades | WI-1020
wiper blade 18 in | WI-1019
door mirrors | DM-1022
floor mats | FM-1018
tyres | TY-1024
195/65 R15 | TY-1023
trolley jack | JK-1010
3 t jack | JK-1008
car shampoo | CC-1012
kestrane | CC-1010
kestrane brake pads | BP-1028
norvane radiator | RD-1020
tamaro | JK-1005
orizon | CC-1008
orizon parts brake | BF-1004
pikomoto oil filter | OF-1044
aquiline | CC-1011
deltorq | CC-1002
sunmarch bulb | LB-1018
clearance | TY-1015
eco friendly | HX#1?A=B
workshop | JK-1010
made to order | SR-1016
performance brake disc | BD-1029
KS36142 | OF-1041
ks 36142 | OF-1041
BD-1031 | BD-1031
bd1031 | BD-1031
BD-10 | BD-1032
TM50626 | BP-1040
nissan | FM-1009
nissan x-trail | FM-1009
xtrail | FM-1009
x trail silencer | SI-1018
suzuki grand vitara | HL-1025
silverado | FM-1016
silverado 1500 clutch | CK-1015
bmw 3 series | FM-1017
mitsubishi l200 tie rod | TR-1028
2016 honda civic | SM-1014
subaru forester spark plug | SP-1036
rotors | BD-1032
front rotors corolla | BD-1025
brake rotor | BD-1032
rotrs | BD-1032
headlights | HL-1026
tail lights left | TL-1024
mufflers x trail | SI-1018
exhaust | OX-1024
exhuast | OX-1024
exhaust honda civic | OX-1019
cooling | RH-1026
suspension | SL-1026
lighting | TL-1024
electrical | CB-1012
braking | BF-1012
friction parts | BS-1020
tyres and tools | CC-1012
tyres tools | CC-1012
body and care | CC-1012
drive and exhaust | OX-1024
oils and coolants | HX#1?A=B
hydraulics | BF-1012
charging | SM-1022
tools | CC-1012
break pads | BP-1040
breaks | BF-1012
brek pads | BP-1040
honda civic 99 radiator | RD-1010
radiator civic 99 | RD-1010
99 civic radiator | RD-1010
air filter for my honda civic | AF-1039
BP-1001,BP-1002 | BP-1002
bp1001; of 1001 | OF-1001
55692 | BP-1001
5-5692 | BP-1001
5569 | BP-1001
50626 | BP-1040
antifreeze | CL-1014
anti-freeze | CL-1014
strut | SA-1036
front struts corolla | SA-1015
sway bar link | SL-1026
motor oil | HX#1?A=B
motor oil 5w30 | OL-1017
serpentine belt | DB-1030
cv axle | DS-1022
o2 sensor civic | OX-1019
taillight | TL-1024
taillights left | TL-1024
lug nuts | WN-1012
tail ligth | TL-1024
serpentin belt | DB-1030
14 honda cr-v | HL-1023
honda cr-v 14 | HL-1023
14 honda cr-v brake pads | BP-1001
wiper 14 honda cr-v | WI-1020
brake pads 2014 | BP-1034
2014 brake pads | BP-1034
brake pads for 2014 | BP-1029
braek pads 2014 | BP-1034
brake pads 1999 | BP-1040
pads 1999 | BP-1025
rotors 2014 | BD-1029
friction parts 2014 | BS-1002
battery 2014 | BT-1002
oil filter 2010 | OF-1026
oil filters 2017 | OF-1040
wiper 2014 | WI-1020
motor oil 2014 | HX#1?A=B
`

/** What no product has, the words that find products, and how many. `-`: no words do. */
const closest = `
headlight bulb h4 | bulb h4 | 5
battery 12v | battery | 26
5w30 synthetic | 5w30 | 5
windshield wiper | wiper | 20
brake pads cheap | brake pads | 39
cheap good brake pads | brake pads | 39
braek pads cheap | brake pads | 39
the cheap pads for my corolla | pads corolla | 2
honda yaris brake pads | honda brake pads | 10
gearbox oil | oil | 72
rear light | rear | 178
motor mount | mount | 27
battery honda crv | battery | 26
battery 2014 honda crv | battery | 26
i need a battery for my 2014 honda crv | battery | 26
batery for hona crv | battery | 26
corolla 05 brake pads | brake pads | 39
black brake pads honda crv | brake pads honda crv | 5
gearbox oil honda crv 2014 | oil honda crv 2014 | 28
brake pads and rotors | brake rotors | 31
brake pads 1970 | brake pads | 39
brake pads 14 | brake pads | 39
cheap brake pads 2014 | brake pads 2014 | 12
unicorn | -
oz 55693 | -
BP-9999 | -
`

describe('search in the catalog of the demo', () => {
  let mirror: TestMirror
  before(() => {
    mirror = openDemoMirror()
  })
  after(() => mirror[Symbol.dispose]())

  for (const line of table.trim().split('\n')) {
    const [q, sku] = line.split(' | ') as [string, string]
    it(`finds ${sku} for ${q}`, () => expect(mirror.find({ q, limit: 3 }).skus).to.include(sku))
  }

  for (const line of closest.trim().split('\n')) {
    const [q, text, total] = line.split(' | ') as [string, string, string?]
    it(`finds nothing for ${q}, and says what ${text} finds`, () => {
      const found = mirror.find({ q })
      expect([found.total, found.closest?.q ?? '-', found.closest?.total]).to.deep.equal([
        0,
        text,
        total && Number(total),
      ])
      if (found.closest) expect(mirror.find({ q: text }).total).to.equal(found.closest.total)
    })
  }
})
