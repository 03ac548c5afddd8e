/** The model: what a service's apis need of a store; its nouns and links, and what is searched, filtered and owned. */
import { type AnyLink, type AnyNoun, DeclarationError, directReference, type Operation, targetOf } from '@nomen/core'
import { type TallyFields, talliesOf } from './tally.ts'

export interface StoredNoun {
  readonly noun: AnyNoun
  /** Fields that some list is filtered by, and that are not declared unindexed. */
  readonly filtered: ReadonlySet<string>
  /** The sets of fields by whose values the records are counted. */
  readonly tallies: readonly TallyFields[]
  /** Fields that some list searches. */
  readonly searched: ReadonlySet<string>
  /** Whether some api offers to create records. */
  readonly isCreated?: boolean
  /** The reference to the parent that the record belongs to and is deleted with. */
  readonly owner?: string
  /** References of other nouns to this one. */
  readonly referrers: readonly Referrer[]
  /** Links in which this noun takes part. */
  readonly links: readonly AnyLink[]
}

export interface Referrer {
  readonly noun: AnyNoun
  readonly field: string
  /** What happens to the referring record when the one it points at is deleted. */
  readonly onDelete: 'delete' | 'clear' | 'refuse'
}

export interface Model {
  readonly nouns: ReadonlyMap<string, StoredNoun>
  readonly links: readonly AnyLink[]
}

/** Gathers the model from the operations of all apis of a service. */
export function modelOf(operations: readonly Operation[]): Model {
  const nouns = nounsOf(operations)
  const links = linksOf(operations)
  const owners = ownersOf(operations)
  const stored = new Map<string, StoredNoun>()
  for (const noun of nouns.values()) {
    const owner = owners.get(noun.name)
    const filtered = fieldsOf(operations, noun, 'equal', 'range')
    stored.set(noun.name, {
      noun,
      filtered,
      tallies: talliesOf(noun, filtered, operations),
      searched: fieldsOf(operations, noun, 'search'),
      isCreated: operations.some(({ kind, resource }) => kind === 'create' && resource.noun === noun),
      ...(owner !== undefined && { owner }),
      referrers: [...referrersOf(noun, nouns, owners)],
      links: links.filter((link) => link.nouns.some(({ name }) => name === noun.name)),
    })
  }
  return { nouns: stored, links }
}

/** Every noun that a path names or that a reference leads to. */
function nounsOf(operations: readonly Operation[]): ReadonlyMap<string, AnyNoun> {
  const nouns = new Map<string, AnyNoun>()
  const add = (noun: AnyNoun) => {
    const known = nouns.get(noun.name)
    if (known === noun) return
    if (known !== undefined) {
      throw new DeclarationError(
        `noun "${noun.name}"`,
        'two different nouns bear this name.',
        'rename one, or use one declaration in both places.',
      )
    }
    nouns.set(noun.name, noun)
    for (const field of Object.keys(noun.fields)) {
      if (noun.fields[field].spec.kind === 'reference') add(targetOf(noun, field))
    }
  }
  for (const { levels } of operations) {
    for (const { resource, relations } of levels) {
      add(resource.noun)
      for (const { steps } of relations) for (const step of steps) add(step.from)
    }
  }
  return nouns
}

/** Two nouns are linked once: nothing in a path, a load or a sample would tell a second link from the first. */
function linksOf(operations: readonly Operation[]): readonly AnyLink[] {
  const links = new Map<string, AnyLink>()
  for (const { levels } of operations) {
    for (const { relations } of levels) {
      for (const { steps } of relations) for (const step of steps) if (step.kind === 'link') add(links, step.link)
    }
  }
  return [...links.values()]
}

function add(links: Map<string, AnyLink>, link: AnyLink): void {
  const [first, second] = link.nouns
  const known = links.get(link.name) ?? links.get(`${second.name}-${first.name}`)
  if (known === undefined) links.set(link.name, link)
  else if (known !== link) {
    const rule =
      known.name === link.name
        ? `two different links of "${first.name}" and "${second.name}" are declared.`
        : 'the same two nouns are linked the other way round too.'
    const fix = 'use one link in both places; for a relation of another meaning, declare a noun with two references.'
    throw new DeclarationError(`link "${link.name}"`, rule, fix)
  }
}

/**
 * A noun is owned when it stands at the root nowhere, and below one parent that it points at. Where it can be created
 * below one and only be seen below others, the one counts; below two alike, it belongs to neither.
 */
function ownersOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  const names = new Set(operations.map(({ resource }) => resource.noun.name as string))
  for (const name of names) {
    const places = operations.filter(({ resource }) => resource.noun.name === name)
    if (places.some(({ levels }) => levels.length === 1)) continue
    const creating = parentFields(places.filter(({ kind }) => kind === 'create'))
    const [owner, another] = creating.size > 0 ? creating : parentFields(places)
    if (owner !== undefined && another === undefined) owners.set(name, owner)
  }
  return owners
}

/** The references by which the records of these operations belong to their parents. */
function parentFields(operations: readonly Operation[]): ReadonlySet<string> {
  const relations = operations.map(({ levels }) => levels.at(-1)?.relations.at(-1))
  const fields = relations.map((relation) => relation && directReference(relation))
  return new Set(fields.filter((field) => field !== undefined))
}

function* referrersOf(
  target: AnyNoun,
  nouns: ReadonlyMap<string, AnyNoun>,
  owners: ReadonlyMap<string, string>,
): Generator<Referrer> {
  for (const noun of nouns.values()) {
    for (const field of Object.keys(noun.fields)) {
      const { spec } = noun.fields[field]
      if (spec.kind !== 'reference' || targetOf(noun, field) !== target) continue
      const isOwned = owners.get(noun.name) === field
      yield { noun, field, onDelete: isOwned ? 'delete' : spec.clearedOnDelete ? 'clear' : 'refuse' }
    }
  }
}

function fieldsOf(operations: readonly Operation[], noun: AnyNoun, ...kinds: readonly string[]): ReadonlySet<string> {
  const fields = new Set<string>()
  for (const { resource, list } of operations) {
    if (resource.noun !== noun) continue
    for (const parameter of list?.parameters ?? []) {
      if (!kinds.includes(parameter.kind) || !('fields' in parameter)) continue
      for (const field of parameter.fields as Iterable<string>) fields.add(field)
    }
  }
  for (const field of fields) if (kinds.includes('equal') && noun.fields[field].spec.unindexed) fields.delete(field)
  fields.delete(noun.identity)
  return fields
}
