/** Random declarations of APIs: nouns with references and links between them, resources at any depth with their options. */
import {
  type AnyApi,
  type AnyField,
  type AnyNoun,
  type AnyResource,
  api,
  boolean,
  choice,
  createdAt,
  DeclarationError,
  date,
  email,
  identity,
  integer,
  link,
  noun,
  operation,
  operations,
  range,
  reference,
  resource,
  text,
  timestamp,
} from '@nomen/core'
import fc from 'fast-check'

const nounNames = ['user', 'team', 'ticket', 'comment'] as const

const fields: Readonly<Record<string, () => AnyField>> = {
  title: () => text({ minLength: 1, maxLength: 40 }),
  remark: () => text().nullable(),
  email: () => email().unique(),
  level: () => integer({ min: 0 }).default(1),
  retired: () => boolean().default(false),
  status: () => choice('OPEN', 'CLOSED'),
  due: () => date().nullable(),
  seen: () => timestamp().nullable(),
  created: () => createdAt(),
}

const fieldNames = Object.keys(fields)
const subset = (names: readonly string[], minLength = 0) => fc.subarray([...names], { minLength })

interface NounPlan {
  readonly isGuid: boolean
  readonly fields: readonly string[]
  /** Numbers of other nouns. */
  readonly references: readonly number[]
}

const nounPlan: fc.Arbitrary<NounPlan> = fc.record({
  isGuid: fc.boolean(),
  fields: subset(fieldNames, 1),
  references: fc.uniqueArray(fc.nat(nounNames.length - 1), { maxLength: 2 }),
})

interface ResourcePlan {
  readonly noun: number
  readonly list: readonly string[]
  readonly hasSummary: boolean
  readonly hasDetail: boolean
  readonly isPaginated: boolean
  readonly isConditional: boolean
  readonly hasSearch: boolean
  readonly hasRange: boolean
  readonly hasOperation: boolean
  readonly isDeprecated: 'no' | 'yes' | 'gone'
  readonly version: number | undefined
  readonly offers: readonly string[] | undefined
  readonly children: readonly ResourcePlan[]
}

const offers = ['list', 'read', 'create', 'replace', 'update', 'delete']

function resourcePlan(depth: number): fc.Arbitrary<ResourcePlan> {
  return fc.record({
    noun: fc.nat(nounNames.length - 1),
    list: subset(fieldNames),
    hasSummary: fc.boolean(),
    hasDetail: fc.boolean(),
    isPaginated: fc.boolean(),
    isConditional: fc.boolean(),
    hasSearch: fc.boolean(),
    hasRange: fc.boolean(),
    hasOperation: fc.boolean(),
    isDeprecated: fc.constantFrom('no', 'no', 'no', 'yes', 'gone'),
    version: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 3 }),
    offers: fc.option(subset(offers, 1), { nil: undefined }),
    children: depth === 0 ? fc.constant([]) : fc.array(resourcePlan(depth - 1), { maxLength: 2 }),
  })
}

/** APIs that can be declared. What a declaration refuses is left out. */
export const declaredApi: fc.Arbitrary<AnyApi> = fc
  .record({
    nouns: fc.tuple(nounPlan, nounPlan, nounPlan, nounPlan),
    resources: fc.uniqueArray(resourcePlan(2), { selector: ({ noun }) => noun, minLength: 1, maxLength: 3 }),
    writes: fc.constantFrom('flat', 'nested'),
    version: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(({ nouns, resources, writes, version }) => {
    const declared = declaredNouns(nouns)
    const versions = version === undefined ? { versioning: 'per-noun' } : { versioning: 'whole', version }
    const roots = resources.flatMap((plan) => declaredResource(plan, declared, [], version === undefined) ?? [])
    return roots.length === 0
      ? undefined
      : allowed(() => api('random', { ...versions, writes, resources: roots } as never))
  })
  .filter(
    (declared) => declared !== undefined && allowed(() => operations(declared)) !== undefined,
  ) as fc.Arbitrary<AnyApi>

function allowed<Value>(declare: () => Value): Value | undefined {
  try {
    return declare()
  } catch (error) {
    if (error instanceof DeclarationError) return undefined
    throw error
  }
}

interface Declared {
  readonly nouns: readonly AnyNoun[]
  readonly plans: readonly NounPlan[]
  readonly links: ReadonlyMap<string, ReturnType<typeof link>>
}

function declaredNouns(plans: readonly NounPlan[]): Declared {
  const nouns: AnyNoun[] = plans.map((plan, index) => {
    const own = plan.fields.map((name) => [name, fields[name]?.()])
    const pointers = plan.references.map((target) => [
      `${nounNames[target]}Ref`,
      reference(() => nouns[target] as never),
    ])
    const id = plan.isGuid ? identity('guid') : identity()
    return noun(nounNames[index] as string, { id, ...Object.fromEntries([...own, ...pointers]) } as never)
  })
  const pairs = nouns.flatMap((noun, at) => nouns.slice(at + 1).map((other) => [noun, other] as const))
  const links = pairs.map(
    ([left, right]) => [`${left.name} ${right.name}`, link(left as never, right as never)] as const,
  )
  return { nouns, plans, links: new Map(links) }
}

/** A child belongs to its parent by its reference, or by the link between them. */
function declaredResource(
  plan: ResourcePlan,
  declared: Declared,
  above: readonly number[],
  isVersioned: boolean,
): AnyResource | undefined {
  const { plans, nouns, links } = declared
  const own = plans[plan.noun] as NounPlan
  const parent = above.at(-1)
  const names = [plan.noun, parent ?? 0].sort().map((index) => nounNames[index])
  const isReference = parent !== undefined && own.references.includes(parent)
  const via = parent === undefined ? undefined : isReference ? `${nounNames[parent]}Ref` : links.get(names.join(' '))
  if (above.includes(plan.noun) || above.length > 2) return undefined
  const path = [...above, plan.noun]
  const children = plan.children.flatMap((child) => declaredResource(child, declared, path, isVersioned) ?? [])
  const list = ['id', ...own.fields.filter((name) => plan.list.includes(name))]
  const texts = own.fields.filter((name) => name === 'title' || name === 'remark')
  const deprecated = { since: '2026-01-01', ...(plan.isDeprecated === 'gone' && { gone: true }) }
  const options = {
    ...(via !== undefined && { via }),
    list,
    ...(plan.hasSummary && list.length > 1 && { summary: ['id'] }),
    ...(plan.hasDetail && { detail: true }),
    ...(own.fields.includes('email') && { by: ['email'] }),
    ...(plan.hasSearch && texts.length > 0 && { search: texts }),
    ...(plan.hasRange && own.fields.includes('seen') && { filters: { sighting: range('seen') } }),
    ...(!plan.isPaginated && above.length > 0 && { paginated: false }),
    ...(plan.isConditional && { ifMatch: 'required' }),
    ...(plan.isDeprecated !== 'no' && { deprecated }),
    ...(plan.version !== undefined && isVersioned && { version: plan.version }),
    ...(plan.offers && { offers: plan.offers }),
    ...(plan.hasOperation && {
      operations: {
        renewal: operation({ method: 'POST', on: 'record', body: { reason: text() }, answer: { count: integer() } }),
      },
    }),
    children,
  }
  return allowed(() => resource(nouns[plan.noun] as never, options as never)) as AnyResource | undefined
}
