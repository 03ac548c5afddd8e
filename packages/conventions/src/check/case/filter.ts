/** Checks of filters: what each shows, several values of one, several of them together, and their names. */
import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Check } from '../check.ts'
import { expect, Fault, Skip } from '../finding.ts'
import type { Answer, Query } from '../request/exchange.ts'
import { isSame } from '../request/exchange.ts'
import { type Collection, schemaAt } from '../surface.ts'
import type { Survey } from '../survey.ts'

/** Parameters of a list that are no filters. */
const reserved = new Set(['pageNumber', 'pageSize', 'include', 'sort', 'search'])
/** So many filters of a list are tried. */
const filterLimit = 12

/** What a list shows for a query, as much of it as fits on one page. */
export interface Shown {
  readonly answer: Answer
  readonly results: readonly JsonObject[]
  readonly identities: readonly string[]
  readonly total: number
  readonly isWhole: boolean
}

export async function shown(survey: Survey, query: Query): Promise<Shown> {
  const size = Math.min(survey.maximumSize ?? 100, 100)
  const paged: Query = survey.collection.isPaginated ? [...query, ['pageSize', `${size}`]] : query
  const { results, info, answer } = await survey.page(paged)
  const total = info?.numberOfRecords ?? results.length
  const identities = results.map((record) => survey.identityOf(record))
  return { answer, results, identities, total, isWhole: total === results.length }
}

/** A filter with two records that it tells apart: the first has the value, the second another one. */
export interface Contrast {
  readonly name: string
  readonly value: string
  readonly otherValue: string
  readonly raw: Json
  readonly inside: string
  readonly outside: string
}

type Fact = Awaited<ReturnType<Survey['facts']>>[number]

/** Every filter for which the known records have two different values. */
export async function contrasts(survey: Survey): Promise<Contrast[]> {
  const facts = await survey.facts()
  if (facts.length < 2) throw new Skip('it has fewer than 2 records')
  const found = filterNames(survey).flatMap((name): Contrast[] => {
    const [inside, outside] = different(facts, name)
    if (!inside || !outside) return []
    const raw = inside.detail[name] as Json
    const otherValue = `${outside.detail[name]}`
    return [{ name, raw, value: `${raw}`, otherValue, inside: inside.identity, outside: outside.identity }]
  })
  if (found.length === 0) throw new Skip('no filter of it has two values among the records that were read')
  return survey.random.some(found, filterLimit)
}

function filterNames({ collection: { list, detail, item } }: Survey): string[] {
  const known = (detail ?? item)?.properties ?? new Map()
  return list.parameters
    .filter((one) => one.in === 'query' && known.has(one.name) && !reserved.has(one.name))
    .map(({ name }) => name)
}

function different(facts: readonly Fact[], name: string): [Fact | undefined, Fact | undefined] {
  const usable = facts.filter(({ detail }) => isText(detail[name]))
  const [first] = usable
  return [first, usable.find(({ detail }) => `${detail[name]}` !== `${first?.detail[name]}`)]
}

/** What can stand in a query without a doubt. */
function isText(value: Json | undefined): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'
}

async function equal(survey: Survey): Promise<void> {
  const { records, isWhole } = await survey.known()
  for (const { name, value, raw, inside, outside } of await contrasts(survey)) {
    const found = await shown(survey, [[name, value]])
    expectAbsent(found, outside, `its ${name} is another`)
    if (found.isWhole) expectPresent(found, inside, `its ${name} is ${value}`)
    if (!survey.isAlike(name)) continue
    const wrong = found.results.find((record) => !isSame(record[name], raw))
    expect(wrong === undefined, () => ({
      expected: `only records whose ${name} is ${value}`,
      actual: `record ${wrong && survey.identityOf(wrong)} has ${JSON.stringify(wrong?.[name])}`,
      answer: found.answer,
    }))
    const count = records.filter((record) => isSame(record[name], raw)).length
    expect(!isWhole || found.total === count, () => ({
      expected: `${count} records, as many as have this ${name} in the whole list`,
      actual: `there are ${found.total}`,
      answer: found.answer,
    }))
  }
}

async function anyOf(survey: Survey): Promise<void> {
  for (const { name, value, otherValue, inside, outside } of await contrasts(survey)) {
    const one = await shown(survey, [[name, value]])
    const other = await shown(survey, [[name, otherValue]])
    const both = await shown(survey, [
      [name, value],
      [name, otherValue],
    ])
    const total = one.total + other.total
    expect(both.total === total, () => ({
      expected: `${total} records, those of ${name}=${value} (${one.total}) and of ${name}=${otherValue} (${other.total})`,
      actual: `there are ${both.total}`,
      answer: both.answer,
    }))
    if (!both.isWhole) continue
    expectPresent(both, inside, `its ${name} is ${value}`)
    expectPresent(both, outside, `its ${name} is ${otherValue}`)
  }
}

/** Two filters that each show a record which the other one hides: together they show neither. */
async function allOf(survey: Survey): Promise<void> {
  const facts = await survey.facts()
  const names = (await contrasts(survey)).map(({ name }) => name)
  const pairs = names.flatMap((name, at) => names.slice(at + 1).map((other) => [name, other] as const))
  const tried = survey.random.some(pairs, 4)
  let count = 0
  for (const [name, other] of tried) {
    const [one, two] = crossed(facts, name, other)
    if (!one || !two) continue
    count++
    const query: Query = [
      [name, `${one.detail[name]}`],
      [other, `${two.detail[other]}`],
    ]
    const found = await shown(survey, query)
    expectAbsent(found, one.identity, `its ${other} is another`)
    expectAbsent(found, two.identity, `its ${name} is another`)
  }
  if (count === 0) throw new Skip('no two filters have values that tell two of the records apart')
}

function crossed(facts: readonly Fact[], name: string, other: string): [Fact?, Fact?] {
  for (const one of facts)
    for (const two of facts) {
      const isApart = (property: string) =>
        isText(one.detail[property]) &&
        isText(two.detail[property]) &&
        !isSame(one.detail[property] as Json, two.detail[property] as Json)
      if (isApart(name) && isApart(other)) return [one, two]
    }
  return []
}

async function none(survey: Survey): Promise<void> {
  const name = (await contrasts(survey)).find(({ raw }) => typeof raw === 'string')?.name
  const schema = name === undefined ? undefined : schemaAt(survey.collection.detail, name)
  if (name === undefined || schema?.enum) throw new Skip('no filter takes free text')
  const found = await shown(survey, [[name, survey.absentValue(schema, '')]])
  expect(found.total === 0 && found.results.length === 0, () => ({
    expected: 'no records, since none has this value',
    actual: `numberOfRecords is ${found.total}, and there are ${found.results.length} results`,
    answer: found.answer,
  }))
}

/** A filter has the name of its property; others may filter by what is no property. */
async function names({ collection }: Survey): Promise<string | undefined> {
  const { list, detail, item } = collection
  const known = [...((detail ?? item)?.properties.keys() ?? [])]
  const others: string[] = []
  for (const { name, in: place } of list.parameters) {
    if (place !== 'query' || reserved.has(name) || known.includes(name)) continue
    const meant = known.find((property) => isShortFor(name, property))
    if (meant !== undefined)
      throw new Fault({ expected: `the parameter "${meant}", as the property is called`, actual: `it is "${name}"` })
    others.push(name)
  }
  return others.length > 0 ? `also filtered by ${others.join(', ')}` : undefined
}

/** `lastname`, `last_name`, `last` and `userLastName` are all meant for `lastName`. */
function isShortFor(name: string, property: string): boolean {
  const [a, b] = [name, property].map((one) => one.replaceAll(/[^a-z\d]/gi, '').toLowerCase()) as [string, string]
  return a === b || (a.length >= 3 && b.startsWith(a)) || (b.length >= 4 && a.endsWith(b))
}

function expectPresent({ identities, answer }: Shown, identity: string, why: string): void {
  expect(identities.includes(identity), () => ({
    expected: `record ${identity} among the results: ${why}`,
    actual: 'it is not there',
    answer,
  }))
}

function expectAbsent({ identities, answer }: Shown, identity: string, why: string): void {
  expect(!identities.includes(identity), () => ({
    expected: `record ${identity} not among the results: ${why}`,
    actual: 'it is there',
    answer,
  }))
}

const filtered = (survey: Survey) =>
  filterNames(survey).length === 0 ? 'it offers no filter that is named after a property' : undefined

/** The records, filters and refusals of a variant are those of the default list. */
export const isDefault = ({ variantOf }: Collection) => variantOf === undefined

export const filterChecks: readonly Check[] = [
  { code: 'filter-equal', isMeant: isDefault, unfit: filtered, run: equal },
  { code: 'filter-any-of', isMeant: isDefault, unfit: filtered, run: anyOf },
  { code: 'filter-all-of', isMeant: isDefault, unfit: filtered, run: allOf },
  { code: 'filter-none', isMeant: isDefault, unfit: filtered, run: none },
  { code: 'filter-name', isMeant: isDefault, run: names },
]
