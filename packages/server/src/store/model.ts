/** The model: the nouns and links that a service stores, and which fields are searched, indexed and owned. */
import {
  type AnyLink,
  type AnyNoun,
  change,
  DeclarationError,
  directReference,
  type HistoryOptions,
  hasHistory,
  type Operation,
  specOf,
  targetOf,
} from '@nomen/core'
import { type TallyFields, talliesOf } from './tally.ts'
import { type DerivedColumn, derivedColumns } from './text/derived-column.ts'

export interface StoredNoun {
  readonly noun: AnyNoun
  /** Fields whose index finds and sorts their values. */
  readonly indexed: ReadonlySet<string>
  /** The sets of fields that records are counted by. */
  readonly tallies: readonly TallyFields[]
  /** Fields that a list searches. */
  readonly searched: ReadonlySet<string>
  /** Columns that are derived from fields, by field. */
  readonly derived: ReadonlyMap<string, readonly DerivedColumn[]>
  /** Whether an api offers to create records. */
  readonly isCreated?: boolean
  /** The reference to the parent that owns the record: it is deleted with its parent. */
  readonly owner?: string
  /** References of other nouns to this one. */
  readonly referrers: readonly Referrer[]
  /** Links in which this noun takes part. */
  readonly links: readonly AnyLink[]
}

export interface Referrer {
  readonly noun: AnyNoun
  readonly field: string
  /** The effect on the referring record when its target is deleted. */
  readonly onDelete: 'delete' | 'clear' | 'restrict'
}

export interface Model {
  readonly nouns: ReadonlyMap<string, StoredNoun>
  readonly links: readonly AnyLink[]
}

/** The nouns of a model without that of history entries, which the database writes. */
export function writtenNouns({ nouns }: Model): readonly AnyNoun[] {
  return [...nouns.values()].map(({ noun }) => noun).filter((noun) => noun !== change)
}

/** The fields of a history entry that name a record. They are short, and only the database writes them. */
export const recordNameFields = ['record', 'linked'] as const

/** How long the history entries of a noun are kept; empty if there is no limit. */
export function historyLimits({ options }: AnyNoun): HistoryOptions {
  return typeof options.history === 'object' ? options.history : {}
}

/** Gathers the model from the operations of all apis of a service. */
export function modelOf(operations: readonly Operation[]): Model {
  const nouns = nounsOf(operations)
  const links = linksOf(operations)
  const owners = ownersOf(operations)
  const stored = new Map<string, StoredNoun>()
  for (const noun of nouns.values()) {
    const owner = owners.get(noun.name)
    const indexed = indexedFields(noun, fieldsOf(operations, noun, 'equal', 'range'))
    const searched = fieldsOf(operations, noun, 'search')
    stored.set(noun.name, {
      noun,
      indexed,
      tallies: talliesOf(noun, indexed, operations),
      searched,
      derived: derivedColumns(noun, searched),
      isCreated: operations.some(({ kind, resource }) => kind === 'create' && resource.noun === noun),
      ...(owner !== undefined && { owner }),
      referrers: [...referrersOf(noun, nouns, owners)],
      links: links.filter((link) => link.nouns.some(({ name }) => name === noun.name)),
    })
  }
  return { nouns: stored, links }
}

/** Every noun in a path, and every noun that a reference leads to. */
function nounsOf(operations: readonly Operation[]): ReadonlyMap<string, AnyNoun> {
  const nouns = new Map<string, AnyNoun>()
  const add = (noun: AnyNoun) => {
    const existing = nouns.get(noun.name)
    if (existing === noun) return
    if (existing !== undefined) {
      throw new DeclarationError(
        `noun "${noun.name}"`,
        'two different nouns have this name.',
        'rename one, or use one declaration in both places.',
      )
    }
    nouns.set(noun.name, noun)
    if (hasHistory(noun)) add(change)
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

/** Two nouns have at most one link: paths, loads and samples could not tell a second one apart. */
function linksOf(operations: readonly Operation[]): readonly AnyLink[] {
  const links = new Map<string, AnyLink>()
  for (const { levels } of operations) {
    for (const { relations } of levels) {
      for (const { steps } of relations) for (const step of steps) if (step.kind === 'link') addLink(links, step.link)
    }
  }
  return [...links.values()]
}

function addLink(links: Map<string, AnyLink>, link: AnyLink): void {
  const [first, second] = link.nouns
  const existing = links.get(link.name) ?? links.get(`${second.name}-${first.name}`)
  if (existing === undefined) links.set(link.name, link)
  else if (existing !== link) {
    const rule =
      existing.name === link.name
        ? `two different links between "${first.name}" and "${second.name}" are declared.`
        : 'the same two nouns are also linked in the other order.'
    const fix = 'use one link in both places; for a relation of another meaning, declare a noun with two references.'
    throw new DeclarationError(`link "${link.name}"`, rule, fix)
  }
}

/**
 * The owner of each noun: the parent that it references, if the noun never occurs at the root and below one parent only.
 * A parent under which records can be created takes precedence over read-only ones. With two such parents, there is no
 * owner.
 */
function ownersOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  const names = new Set(operations.map(({ resource }) => resource.noun.name as string))
  for (const name of names) {
    const nounOperations = operations.filter(({ resource }) => resource.noun.name === name)
    if (nounOperations.some(({ levels }) => levels.length === 1)) continue
    const createParents = parentFields(nounOperations.filter(({ kind }) => kind === 'create'))
    const [owner, second] = createParents.size > 0 ? createParents : parentFields(nounOperations)
    if (owner !== undefined && second === undefined) owners.set(name, owner)
  }
  return owners
}

/** The references from the records of these operations to their parents. */
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
      yield { noun, field, onDelete: isOwned ? 'delete' : spec.clearedOnDelete ? 'clear' : 'restrict' }
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
  fields.delete(noun.identity)
  return fields
}

/** Deletes look references up. Choices and booleans have an index, and totals, if a list filters by them. */
export function indexedFields(noun: AnyNoun, filtered: ReadonlySet<string>): ReadonlySet<string> {
  const isIndexed = (name: string) => {
    const { kind, unique, indexed } = specOf(noun, name)
    if (kind === 'choice' || kind === 'boolean') return unique || (indexed !== false && filtered.has(name))
    // The unique index of an e-mail ignores case.
    return indexed || kind === 'reference' || (unique && kind !== 'email')
  }
  return new Set(Object.keys(noun.fields).filter(isIndexed))
}
