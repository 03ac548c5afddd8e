/** Random declarations of APIs: nouns with references and links, resources at any depth with their options. */
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
  title: () => text({ minLength: 1, maxLength: 40 }).description('In a few words.').example('Printer'),
  remark: () => text().nullable(),
  email: () => email().unique(),
  level: () => integer({ min: 0 }).default(1),
  retired: () => boolean().default(false),
  status: () => choice('OPEN', 'CLOSED').description('How far it is.', { CLOSED: 'Nothing is left to do.' }),
  due: () => date().nullable(),
  seen: () => timestamp().nullable(),
  created: () => createdAt(),
}

const fieldNames = Object.keys(fields)
const subset = (names: readonly string[], minLength = 0) => fc.subarray([...names], { minLength })

interface NounPlan {
  readonly description: string | undefined
  readonly isGuid: boolean
  readonly fields: readonly string[]
  /** Indexes of other nouns. */
  readonly references: readonly number[]
}

const description = fc.option(fc.constantFrom('A plain sentence.', 'Two\n\nparagraphs with *Markdown*.'), {
  nil: undefined,
})

const nounPlan: fc.Arbitrary<NounPlan> = fc.record({
  description,
  isGuid: fc.boolean(),
  fields: subset(fieldNames, 1),
  references: fc.uniqueArray(fc.nat(nounNames.length - 1), { maxLength: 2 }),
})

interface ResourcePlan {
  readonly noun: number
  readonly description: string | { readonly list: string; readonly create: string } | undefined
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
    description: fc.oneof(description, fc.constant({ list: 'All of them.', create: 'Adds one.' })),
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

/** Valid APIs. Rejected declarations are skipped. */
export const declaredApi: fc.Arbitrary<AnyApi> = fc
  .record({
    nouns: fc.tuple(nounPlan, nounPlan, nounPlan, nounPlan),
    resources: fc.uniqueArray(resourcePlan(2), { selector: ({ noun }) => noun, minLength: 1, maxLength: 3 }),
    description,
    writes: fc.constantFrom('flat', 'nested'),
    version: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(({ nouns, resources, writes, version, description: text }) => {
    const declared = declaredNouns(nouns)
    const versions = version === undefined ? { versioning: 'per-noun' } : { versioning: 'whole', version }
    const about = text === undefined ? {} : { description: text }
    const roots = resources.flatMap((plan) => declaredResource(plan, declared, [], version === undefined) ?? [])
    return roots.length === 0
      ? undefined
      : tryDeclare(() => api('random', { ...about, ...versions, writes, resources: roots } as never))
  })
  .filter(
    (declared) => declared !== undefined && tryDeclare(() => operations(declared)) !== undefined,
  ) as fc.Arbitrary<AnyApi>

function tryDeclare<Value>(declare: () => Value): Value | undefined {
  try {
    return declare()
  } catch (error) {
    if (error instanceof DeclarationError) return undefined
    throw error
  }
}

interface DeclaredParts {
  readonly nouns: readonly AnyNoun[]
  readonly plans: readonly NounPlan[]
  readonly links: ReadonlyMap<string, ReturnType<typeof link>>
}

function declaredNouns(plans: readonly NounPlan[]): DeclaredParts {
  const nouns: AnyNoun[] = plans.map((plan, index) => {
    const own = plan.fields.map((name) => [name, fields[name]?.()])
    const pointers = plan.references.map((target) => [
      `${nounNames[target]}Ref`,
      reference(() => nouns[target] as never),
    ])
    const id = plan.isGuid ? identity('guid') : identity()
    const options = plan.description === undefined ? {} : { description: plan.description }
    return noun(
      nounNames[index] as string,
      { id, ...Object.fromEntries([...own, ...pointers]) } as never,
      options as never,
    )
  })
  const pairs = nouns.flatMap((noun, index) => nouns.slice(index + 1).map((otherNoun) => [noun, otherNoun] as const))
  const links = pairs.map(
    ([left, right]) => [`${left.name} ${right.name}`, link(left as never, right as never)] as const,
  )
  return { nouns, plans, links: new Map(links) }
}

/** A child belongs to its parent by a reference, or by the link between them. */
function declaredResource(
  plan: ResourcePlan,
  declared: DeclaredParts,
  parentPlan: readonly number[],
  isVersioned: boolean,
): AnyResource | undefined {
  const { plans, nouns, links } = declared
  const own = plans[plan.noun] as NounPlan
  const parent = parentPlan.at(-1)
  const names = [plan.noun, parent ?? 0].sort().map((index) => nounNames[index])
  const isReference = parent !== undefined && own.references.includes(parent)
  const via = parent === undefined ? undefined : isReference ? `${nounNames[parent]}Ref` : links.get(names.join(' '))
  if (parentPlan.includes(plan.noun) || parentPlan.length > 2) return undefined
  const path = [...parentPlan, plan.noun]
  const children = plan.children.flatMap((child) => declaredResource(child, declared, path, isVersioned) ?? [])
  const list = ['id', ...own.fields.filter((name) => plan.list.includes(name))]
  const texts = own.fields.filter((name) => name === 'title' || name === 'remark')
  const deprecated = { since: '2026-01-01', ...(plan.isDeprecated === 'gone' && { gone: true }) }
  const options = {
    ...(plan.description !== undefined && { description: plan.description }),
    ...(via !== undefined && { via }),
    list,
    ...(plan.hasSummary && list.length > 1 && { summary: ['id'] }),
    ...(plan.hasDetail && { detail: true }),
    ...(own.fields.includes('email') && { by: ['email'] }),
    ...(plan.hasSearch && texts.length > 0 && { search: texts }),
    ...(plan.hasRange &&
      own.fields.includes('seen') && {
        filters: { sighting: range('seen').description('When it was seen.') },
      }),
    ...(!plan.isPaginated && parentPlan.length > 0 && { paginated: false }),
    ...(plan.isConditional && { ifMatch: 'required' }),
    ...(plan.isDeprecated !== 'no' && { deprecated }),
    ...(plan.version !== undefined && isVersioned && { version: plan.version }),
    ...(plan.offers && { offers: plan.offers }),
    ...(plan.hasOperation && {
      operations: {
        renewal: operation({
          method: 'POST',
          on: 'record',
          description: 'Renews it.',
          body: { reason: text().description('Why.').example('Still needed') },
          response: { count: integer() },
        }),
      },
    }),
    children,
  }
  return tryDeclare(() => resource(nouns[plan.noun] as never, options as never)) as AnyResource | undefined
}
