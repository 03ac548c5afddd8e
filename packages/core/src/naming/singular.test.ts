import { describe, expect, it } from 'vitest'
import { singularOf } from './singular.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** Pairs of a plural and its singular. */
const plurals = words(`
  users user           roles role               actions action         applications application
  departments department preferences preference invoices invoice       orders order
  services service     messages message         images image           sizes size
  prizes prize         pages page               languages language     employees employee
  devices device       files file               names name             dates date
  types type           sites site               rates rate             values value
  leads lead           tags tag                 jobs job               keys key
  days day             surveys survey           toys toy               galleries gallery
  categories category  companies company        cities city            countries country
  policies policy      queries query            entries entry          properties property
  currencies currency  deliveries delivery      movies movie           cookies cookie
  ties tie             selfies selfie           zombies zombie         boxes box
  taxes tax            indexes index            indices index          matrices matrix
  vertices vertex      appendices appendix      branches branch        batches batch
  matches match        switches switch          searches search        caches cache
  niches niche         dishes dish              hashes hash            wishes wish
  addresses address    classes class            processes process      businesses business
  quizzes quiz             buzzes buzz            statuses status
  bonuses bonus        viruses virus            campuses campus        buses bus
  surpluses surplus    octopuses octopus        octopi octopus         cacti cactus
  nuclei nucleus       syllabi syllabus         alumni alumnus         houses house
  warehouses warehouse causes cause             clauses clause         spouses spouse
  uses use             excuses excuse           cases case             databases database
  phases phase         phrases phrase           releases release       leases lease
  purchases purchase   licenses license         expenses expense       responses response
  courses course       nurses nurse             exercises exercise     franchises franchise
  aliases alias        domainaliases domainalias atlases atlas            biases bias            canvases canvas
  gases gas            lenses lens              irises iris            analyses analysis
  neuroses neurosis    psychoses psychosis      stenoses stenosis      prostheses prosthesis
  metastases metastasis catalyses catalysis     doses dose             purposes purpose
  glucoses glucose     primroses primrose       noses nose             yeses yes
  diagnoses diagnosis  hypotheses hypothesis    theses thesis          crises crisis
  synopses synopsis    oases oasis              axes axis              criteria criterion
  phenomena phenomenon bacteria bacterium       curricula curriculum   formulae formula
  people person        salespeople salesperson  children child         grandchildren grandchild
  men man              women woman              salesmen salesman      policemen policeman
  chairwomen chairwoman mice mouse              geese goose            feet foot
  teeth tooth          oxen ox                  leaves leaf            shelves shelf
  knives knife         wives wife               wolves wolf            halves half
  archives archive     curves curve             valves valve           objectives objective
  heroes hero          potatoes potato          tomatoes tomato        vetoes veto
  volcanoes volcano    shoes shoe               canoes canoe           photos photo
  videos video         logos logo               radios radio           areas area
  cameras camera       schemas schema           personas persona       agendas agenda
  metrics metric       topics topic             clinics clinic         menus menu
  skus sku             cpus cpu                 apis api               uris uri
  urls url             kpis kpi                 wikis wiki             emojis emoji
  taxis taxi           ids id                   pdfs pdf               docs doc
`)

const singulars = words(`
  user role action application department preference invoice order status bonus virus campus bus surplus census
  consensus corpus focus genius radius nucleus octopus cactus plus minus apparatus syllabus prospectus stimulus terminus
  alumnus nexus address access class process business progress success congress express glass boss mass pass compass
  press dress witness harness fitness awareness analysis basis crisis diagnosis emphasis hypothesis oasis
  synopsis thesis axis iris chassis tennis metropolis trellis redis alias atlas bias canvas gas pancreas lens
  christmas news series species means headquarters sales goods customs thanks crossroads barracks corps innings gallows
  summons chaos cosmos ethos kudos thermos asbestos rhinoceros diabetes rabies measles herpes biceps forceps physics
  politics economics mathematics logistics analytics ethics electronics genetics robotics linguistics athletics
  scissors trousers jeans pants clothes molasses saas paas iaas devops kubernetes postgres macos nodejs dbms https wmts xmlns
  sms dns css gps aws ios sos data media agenda opera quota schema criterion phenomenon person child man woman specimen
  regimen omen abdomen human german mouse goose foot tooth ox leaf knife box tax index branch cache niche size prize
  movie cookie tie shoe canoe house case phase sheep fish deer aircraft staff equipment information feedback
  people-count sales-order news-item address-book species-group data-class business-process api uri sku menu taxi id
`)

describe('singularOf', () => {
  const pairs = plurals.flatMap((word, index) => (index % 2 === 0 ? [[word, plurals[index + 1]] as const] : []))

  it.each(pairs)('recognizes %s as the plural of %s', (plural, singular) => {
    expect(singularOf(plural)).toBe(singular)
  })

  it.each(singulars)('does not consider %s a plural', (singular) => {
    expect(singularOf(singular)).toBeUndefined()
  })

  it('returns only singular names', () => {
    for (const [, singular] of pairs) expect(singularOf(`${singular}`), singular).toBeUndefined()
  })

  it('checks only the last word of a name', () => {
    expect(singularOf('user-roles')).toBe('user-role')
    expect(singularOf('sales-orders')).toBe('sales-order')
    expect(singularOf('people-children')).toBe('people-child')
    expect(singularOf('roles-user')).toBeUndefined()
    expect(singularOf('user-address')).toBeUndefined()
  })

  it('does not find names of Object.prototype', () => {
    for (const word of ['constructor', 'to-string', 'proto', 'value-of']) expect(singularOf(word)).toBeUndefined()
  })

  it('returns nothing for an empty name', () => {
    for (const name of ['', 's', '-', 'a-', '-s']) expect(singularOf(name)).toBeUndefined()
  })
})
