/** Nouns that occur in APIs, each recognized by its plural, and never taken for a plural itself. */
import { describe, expect, it } from 'vitest'
import { singularOf } from './singular.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** Words that form their plural with an s. */
const withS = words(`
  account action activation actor addendum ad adapter addon adjustment admin advertisement agent aggregate agreement
  alarm album alert algorithm allergen allocation allowance amendment amenity-type amount anchor animal annotation
  announcement answer app appeal applicant application appointment approval apartment archive area argument arrival article
  artifact artist aspect asset assignment assessment assignee association attachment attempt attendee attendance attribute
  auction audience audit author authorization automation availability-zone avatar award axle backend backup badge bag
  balance band bank banner barcode barrier baseline basket bed benchmark beneficiary-name benefit bid bill bin biomarker
  block blog board body-part bond book booking bookmark border bot bottle boundary-stone boutique box-office brand break
  bridge brief broadcast broker browser bucket budget bug build building bundle button buyer cabin cable calendar call
  camera campaign candidate cap-table capture car card career cargo-type carrier cart case cashier catalog catalogue
  cell center certificate certification chain chair challenge change channel chapter charge chart chat check checkout
  checkpoint cheque child-account choice circle claim client clinic clone cloud club cluster coach coin code codec cohort
  collaborator colleague collection color column comment commit commission committee commodity-code comparison
  competitor complaint component condition conference config configuration connection connector consent consignment
  constraint consumer contact container contest context contract contractor contribution contributor conversation
  conversion cookie copyright corner correction cost counter counterpart coupon course court cover credential credit
  creator crop cursor curve customer cycle dashboard database dataset date dataflow day deal debit decision deduction
  default definition delegate delegation demand dentist deployment deposit descriptor design desk destination detail
  device diagram dialog dialect dictionary-term difference dimension directive director disc discount discussion disk
  dispute distance distributor district division doctor document domain donation donor door draft drawer driver drone
  drop droplet drug duplicate duration edge edition editor effect element email employee employer encounter
  endpoint engine engineer enrollment enrolment enterprise entitlement environment episode equation error escalation
  estimate evaluation event evidence-item exam example exception exchange excerpt execution exemption exhibit
  expense experiment expert explanation export expression extension extract eye fabric fact factor failure
  family-name fare farm favorite feature fee feed field figure file filter finding fingerprint flag fleet flight
  floor flow folder follower font food forecast forest fork form format formula forum fragment frame framework friend
  function fund game gate gateway gauge gender gene genre geofence gift goal grade graph grant greeting grid group guarantee
  guard guardian guest guide guideline handler hash-key head header heading health-check helper highlight hold hole
  holiday home hook horse hospital host hotel hour household house icon id idea identifier identity-provider image
  impact impression improvement incentive incident income indicator individual influence ingredient initiative injection
  input inquiry-type insight inspection inspector installation installment instance institution instruction instructor
  instrument insurance integration intent interaction interest interface interval interview invitation invite
  invoice ip-range island issue issuer item itinerary-item job journal journey judge junction key keyboard keyword
  kind kitchen kit label laboratory-test lab landlord landmark language latitude law lawyer layer layout lead leader
  league lease lecture ledger lender lesson letter level liaison librarian license licence lifecycle
  line link list listener listing loan location lock locker log login logo longitude loop lot machine magazine
  mailbox-rule mailing mandate manager manifest manufacturer map margin mark market marker material
  meal measure measurement mechanism medal medication medicine meeting member membership mention menu merchant merge
  message meter method metric migration milestone minute mission mistake mode model moderator module moment
  monitor month motor movement movie museum name namespace nation need neighbor network node note notebook
  notice notification number nurse object objective obligation observation occurrence offer office
  officer offset operation operator opinion option order organisation organization origin outage outcome
  outlet output owner pack package page painting pair panel paragraph parameter parcel parent parking-lot part
  participant particle partition partner passenger passport password path patient pattern paycheck payer
  payment payout payroll peer pension percentage performance period permission permit persona pet phase phone photo
  phrase picture piece pilot pin pipeline pixel placeholder place plan planet plant plate platform player playlist plugin
  pocket podcast point policyholder poll pool port portal portfolio portion position post postcode poster
  preference prescription presentation preset price principal printer prize problem procedure
  producer product profile program programme project promise promotion prompt proof proposal protocol prototype
  provider province provision publication publisher purchase purpose queue question quota quotation quote race
  rack radio raffle range rank rate rating reaction reader reading reason receipt receiver recipe recipient
  recommendation record recording recruiter redirect referee reference referral refund regimen region register
  registration registrar relation relationship release reminder render rental repair replica report
  request requirement researcher reservation reset resident resolution resource response restaurant
  restriction result resume retailer return revenue review revision reward rider right ring risk road robot role
  room root rotation round route router row rule run sale-item sample sanction scan scenario schedule schema school score
  scope screen script season seat secret section sector segment selection seller sender sensor sentence sequence
  server service session set setting settlement shape share sheet shift shipment shop sibling sign signal
  signature signer site size skill slide slot snapshot snippet sound source space speaker specification specimen sponsor
  sport spouse sprint stack staff-member stage stakeholder stall stamp standard star state statement station
  step stock stop storage-bin store stream street string stroke student studio style subaccount subject submission
  subnet subscriber subscription subtask subtitle suggestion suite summary-item supervisor supplier
  supplement surcharge surface survey symbol symptom system table tag target tariff task teacher team telephone
  template tenant term terminal test text theatre theme thing thread threat threshold ticket tile time
  timeline timer timesheet timestamp tip title toggle token tool topic tour tournament trace track tracker trade
  trademark train trainee trainer transaction transcript transfer transformation transition translation transport trial
  trigger trip truck truth trust tunnel turbine turn tutor type umbrella unit update upgrade upload url usage
  use-case user username vacation vaccine validator value valve variable variant vat-rate vehicle vendor venue
  version vertical vessel video view viewer violation visa visit visitor vitamin voice volume volunteer
  vote voter voucher voyage wage waiver wallet warehouse warranty-claim watcher water-meter webhook
  website week weight widget wing winner wish-list withdrawal word worker workflow workplace workshop workspace year zone
`)

/** Singular and plural. */
const withOtherEndings = words(`
  apache apaches christmas christmases corpse corpses dais daises epidermis epidermises pelvis pelvises psyche psyches
  reverie reveries schematic schematics trellis trellises megalopolis megalopolises
  access accesses       actress actresses     address addresses     agency agencies       alias aliases
  ally allies           ambulance ambulances  analysis analyses     anomaly anomalies     antenna antennae
  anniversary anniversaries  appendix appendices  apology apologies  assembly assemblies  atlas atlases
  authority authorities axis axes             baby babies           bacterium bacteria    balcony balconies
  batch batches         battery batteries     beach beaches         bench benches
  beneficiary beneficiaries  bias biases      body bodies           bonus bonuses         bookshelf bookshelves
  boss bosses           boundary boundaries   box boxes             branch branches       breach breaches
  brush brushes         bus buses             business businesses   cache caches          cactus cacti
  calf calves           campus campuses       canoe canoes          canvas canvases       capability capabilities
  capacity capacities   category categories   census censuses       century centuries     chairman chairmen
  child children        church churches       circus circuses       city cities           class classes
  coach coaches         commodity commodities community communities company companies     compass compasses
  copy copies           counterparty counterparties country countries county counties     crash crashes
  criterion criteria    crisis crises         crutch crutches       currency currencies   curriculum curricula
  currency-pair currency-pairs  daughter daughters  deficiency deficiencies delivery deliveries  dependency dependencies
  deputy deputies       diagnosis diagnoses   diary diaries         dictionary dictionaries  directory directories
  disability disabilities  discovery discoveries  dish dishes       dispatch dispatches   duty duties
  dwarf dwarves         dynasty dynasties     eligibility eligibilities  embassy embassies  emergency emergencies
  enquiry enquiries     entity entities       entry entries         excuse excuses        expiry expiries
  eyelash eyelashes     facility facilities   factory factories     family families       fax faxes
  fish fishes           fix fixes             flash flashes         foot feet             fuse fuses
  galaxy galaxies       gallery galleries     gas gases             glitch glitches       goose geese
  grandchild grandchildren grocery groceries  half halves           hash hashes           hero heroes
  hierarchy hierarchies history histories     hobby hobbies         hoof hooves           hoax hoaxes
  housewife housewives  hypothesis hypotheses identity identities   inbox inboxes         index indexes
  industry industries   injury injuries       inquiry inquiries     itinerary itineraries iris irises
  jury juries           key keys              knife knives          laboratory laboratories  latch latches
  leaf leaves           leash leashes         legacy legacies       lens lenses           liability liabilities
  library libraries     life lives            loaf loaves           lobby lobbies         lottery lotteries
  loss losses           lunch lunches         luxury luxuries       mailbox mailboxes     man men
  mass masses           mastery masteries     match matches         matrix matrices       mattress mattresses
  membership-class membership-classes memory memories  mess messes  mistress mistresses  money monies
  misery miseries       brasserie brasseries  tmdbmovie tmdbmovies   filecache filecaches
  mosquito mosquitoes   mouse mice            movie movies          necktie neckties      niche niches
  nucleus nuclei        nursery nurseries     oasis oases           opportunity opportunities  outpost outposts
  ox oxen               party parties         pass passes           patch patches         pathology pathologies
  penalty penalties     person people         pharmacy pharmacies   phenomenon phenomena
  policy policies       policewoman policewomen  posse posses       possibility possibilities  potato potatoes
  priority priorities   process processes     property properties   proxy proxies         publicity-stunt publicity-stunts
  quality qualities     quantity quantities   query queries         quiz quizzes          radius radii
  reach reaches         recovery recoveries   reflex reflexes       registry registries   remedy remedies
  repository repositories  reply replies      responsibility responsibilities  rhinoceros rhinoceroses
  safety-class safety-classes  salary salaries  salesperson salespeople  scarf scarves    search searches
  secretary secretaries self selves           series-id series-ids  sheaf sheaves         shelf shelves
  shoe shoes            similarity similarities  sketch sketches    sku skus              specialty specialties
  stash stashes         status statuses       story stories         strategy strategies   stopwatch stopwatches
  stress stresses       study studies         subcategory subcategories  subsidiary subsidiaries  suffix suffixes
  summary summaries     supply supplies       surplus surpluses     switch switches       syllabus syllabi
  synopsis synopses     synthesis syntheses   tax taxes             taxonomy taxonomies   taxi taxis
  territory territories theory theories       thesis theses         thief thieves         tie ties
  tomato tomatoes       tooth teeth           topology topologies   torch torches         treaty treaties
  trellis trellises     university universities  utility utilities  vacancy vacancies     variety varieties
  vertex vertices       veto vetoes           victory victories     virus viruses         volcano volcanoes
  waitress waitresses   warranty warranties   wharf wharves         wife wives            witness witnesses
  wolf wolves           woman women           workbench workbenches workman workmen       wretch wretches
`)

/** Words that end in s, or like a plural, and are not plurals. */
const singulars = words(`
  acrobatics adios aerodynamics astrophysics backwoods bathos cybernetics fracas hermeneutics kinematics phonetics
  pneumatics quadriceps thermodynamics abdomen acumen albumen analytics antifungal-series arrears asbestos barracks biceps binoculars bitumen chaos chassis
  christmas clothes commons corps cosmos crossroads customs cyclamen dais data devops diabetes dolmen dynamics earnings
  economics electronics epidermis ethics ethos examen foramen forceps gallows gps glasses goods graphics gravamen
  headquarters herpes hymen innings jeans kubernetes kudos linguistics logistics lumen lyrics mathematics means measles
  mechanics media media-series minutiae molasses mumps news numen odds omen pancreas pants pathos pelvis physics politics
  premises proceeds ramen rabies regimen remains rhinoceros robotics rumen sales savings scissors series species specimen
  flatseries stockseries stamen statistics subspecies summons surroundings tactics tennis thanks thermos timeseries triceps trousers
  whereabouts contains expires includes requires dns sms cors https macos
`)

const pairs = [
  ...withS.map((word) => [word, `${word}s`] as const),
  ...withOtherEndings.flatMap((word, at) => (at % 2 === 0 ? [[word, `${withOtherEndings[at + 1]}`] as const] : [])),
]

describe('the nouns of APIs', () => {
  it('are enough for a meaningful test', () => {
    expect(pairs.length).toBeGreaterThan(900)
  })

  it('are recognized by their plurals', () => {
    expect(pairs.filter(([singular, plural]) => singularOf(plural) !== singular)).toEqual([])
  })

  it('are not plurals themselves', () => {
    const accused = [...pairs.map(([singular]) => singular), ...singulars].filter((word) => singularOf(word))
    expect(accused).toEqual([])
  })
})
