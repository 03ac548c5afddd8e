/** The changes between two documents, which of them break callers, and whether they are under the right version. */
import type { OpenApiDocument } from '../document/read-document.ts'
import type { Change } from './change.ts'
import { type Code, verdictOf } from './code.ts'
import { type Demand, demandsOf } from './compare/demand.ts'
import { compareOperation } from './compare/operation.ts'
import { type Ledger, ledger } from './ledger.ts'
import { type Matching, match } from './match.ts'
import { mountsOf, type Operation, operationsOf, versionText } from './operation.ts'
import { below, elementsOf, objectAt, root } from './place.ts'
import { sunsetOf } from './sunset.ts'
import { replacementOf, type Sides, type Versioning, type VersioningKind, versioningOf } from './versioning.ts'

export interface DiffOptions {
  /** Instead of what the documents say. */
  readonly versioning?: VersioningKind
  /** Codes of breaking changes that are wanted as they are. */
  readonly accept?: readonly Code[]
  /** The day by which a sunset is past, such as `2026-03-01`; the present one unless given. */
  readonly today?: string
}

export interface Difference {
  readonly versioning: Versioning
  /** The breaking ones first. */
  readonly changes: readonly Change[]
  /** What must be given a new version before the change may go out; empty where all is in order. */
  readonly demands: readonly Demand[]
}

/** A document, or all documents of one api, such as one for each of its versions. */
export type Documents = OpenApiDocument | readonly OpenApiDocument[]

/** Compares two documents. Documents that are the same have no changes, whatever is in them. */
export function diff(old: Documents, next: Documents, options: DiffOptions = {}): Difference {
  const documents = { old: listOf(old), next: listOf(next) }
  const mounts = [...documents.old, ...documents.next].flatMap(mountsOf)
  const sides = {
    old: documents.old.flatMap((document) => operationsOf('old', document, mounts)),
    next: documents.next.flatMap((document) => operationsOf('new', document, mounts)),
  }
  const versioning = versioningOf([...documents.next, ...documents.old], sides, options.versioning)
  const book = ledger()
  const matching = match(sides.old, sides.next)
  for (const [was, is] of matching.kept) compareOperation(was, is, book.book(was))
  addRaised(matching, sides, versioning.kind, book)
  const today = options.today ?? new Date().toISOString().slice(0, 10)
  addRemoved(matching, sides, versioning.kind, today, book)
  addAdded(matching, sides, book)
  if (versioning.kind === 'whole') addIncomplete(sides, book)
  const accepted = new Set<string>(options.accept)
  const marked = book.found().map(({ change, operations }) => {
    return {
      operations,
      change: change.isBreaking && accepted.has(change.code) ? { ...change, isAccepted: true } : change,
    }
  })
  return {
    versioning,
    changes: [...marked.map(({ change }) => change), ...serverChanges(documents.old, documents.next)].sort(
      (a, b) => Number(b.isBreaking) - Number(a.isBreaking),
    ),
    demands: demandsOf(marked, sides, versioning.kind),
  }
}

/** A version may take the place of the one before: of a noun's or verb's alone, or of all of an api at once. */
function addRaised({ raised }: Matching, sides: Sides, kind: VersioningKind, { book }: Ledger): void {
  const known = new Set(sides.old.map(nameOf))
  for (const [was, is] of raised) {
    const isInOrder = kind === 'per-noun' || replacementOf(was, sides, kind) !== undefined
    const isKnown = known.has(nameOf(is))
    const into = book(was, { under: isInOrder ? is.version : undefined })
    const served = `It is served under ${versionText(is.version)}, no longer under ${versionText(was.version)}.`
    into.note(isKnown ? 'version-retired' : 'version-raised', served, is.place)
    // Who calls the version that was there before knows how it differs.
    if (!isKnown) compareOperation(was, is, into)
  }
}

function nameOf({ key, version }: Operation): string {
  return `${key} ${version}`
}

/** Under a new version, or after the day that callers were told. */
function addRemoved({ removed }: Matching, sides: Sides, kind: VersioningKind, today: string, { book }: Ledger): void {
  for (const one of removed) {
    const sunset = sunsetOf(one)
    const announced = sunset !== undefined && sunset <= today ? sunset : undefined
    const { note } = book(one, { under: replacementOf(one, sides, kind), announced })
    note(`${one.purpose}-removed`, 'It is no longer there.', one.place)
  }
}

function addAdded({ added }: Matching, { next }: Sides, { book }: Ledger): void {
  const byKey = Map.groupBy(next, ({ key }) => key)
  for (const one of added) {
    const before = byKey.get(one.key)?.find(({ version }) => version < one.version)
    const { note } = book(one)
    if (before) note('version-added', `It stands beside ${before.path}, which is still served.`, one.place)
    else note(`${one.purpose}-added`, 'It is new.', one.place)
  }
}

/** Where one noun is raised, all are: a new version that stands beside the one before has every noun of it. */
function addIncomplete({ old, next }: Sides, { book }: Ledger): void {
  const known = Math.max(0, ...old.map(({ version }) => version))
  for (const version of new Set(next.map((one) => one.version).filter((one) => one > known))) {
    const there = new Set(next.filter((one) => one.version === version).map(({ noun }) => noun))
    const missing = new Map(
      next.filter((one) => one.version === known && !there.has(one.noun)).map((one) => [one.noun, one] as const),
    )
    for (const [noun, one] of missing) {
      const message = `${versionText(version)} has no ${noun}, which is served under ${versionText(known)} only.`
      book(one).note('version-incomplete', message, one.place)
    }
  }
}

function serverChanges(old: readonly OpenApiDocument[], next: readonly OpenApiDocument[]): readonly Change[] {
  const [was, is] = [old, next].map((documents) => {
    const homes = documents.map((document) => root('new', document))
    const urls = homes.flatMap((home) => elementsOf(below(home, 'servers')).map((server) => `${objectAt(server).url}`))
    return [...new Set(urls)].join(', ') || 'none'
  })
  const [document] = next
  if (was === is || !document) return []
  const home = root('new', document)
  const { pointer } = below(home, 'servers') ?? home
  const message = `The servers were ${was}, are ${is}.`
  const code = 'server-changed'
  return [{ code, ...verdictOf(code), method: '', path: '', operations: [], pointer, document: 'new', message }]
}

function listOf(documents: Documents): readonly OpenApiDocument[] {
  return Array.isArray(documents) ? documents : [documents as OpenApiDocument]
}
