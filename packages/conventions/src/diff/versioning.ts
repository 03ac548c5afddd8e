/** Which versioning an api follows, and which version a breaking change must wait for. */
import type { OpenApiDocument } from '../document/read-document.ts'
import { type Operation, versionText } from './operation.ts'

/** `whole`: all operations have one version and raise it together. `per-noun`: every noun has its own. */
export type VersioningKind = 'whole' | 'per-noun'

export interface Versioning {
  readonly kind: VersioningKind
  /** Who says so: the caller, the documents (`x-nomen-versioning`), or the look of the paths. */
  readonly by: 'option' | 'document' | 'paths'
}

/** What the caller says, else the first of the documents that says anything, else the paths. */
export function versioningOf(
  documents: readonly OpenApiDocument[],
  operations: Sides,
  option?: VersioningKind,
): Versioning {
  if (option) return { kind: option, by: 'option' }
  for (const document of documents) {
    const said = document['x-nomen-versioning']
    if (said === 'whole' || said === 'per-noun') return { kind: said, by: 'document' }
  }
  // Where nothing had a version yet, the new document tells which way it goes.
  const telling = operations.old.some(({ version }) => version > 0) ? operations.old : operations.next
  return { kind: isWhole(telling) ? 'whole' : 'per-noun', by: 'paths' }
}

export interface Sides {
  readonly old: readonly Operation[]
  readonly next: readonly Operation[]
}

/** Everything has a version, and the highest one has every noun. */
function isWhole(operations: readonly Operation[]): boolean {
  if (operations.length === 0 || operations.some(({ version }) => version === 0)) return false
  const highest = highestOf(operations)
  const current = new Set(operations.filter(({ version }) => version === highest).map(({ noun }) => noun))
  return operations.every(({ noun }) => current.has(noun))
}

/** The operations that raise their version together with one. */
function unitOf(one: Operation, all: readonly Operation[], kind: VersioningKind): readonly Operation[] {
  return kind === 'whole' ? all : all.filter(({ noun }) => noun === one.noun)
}

/** The version by which all that one belongs to was replaced; undefined while the one before is still served. */
export function replacementOf(one: Operation, { next }: Sides, kind: VersioningKind): number | undefined {
  const versions = unitOf(one, next, kind).map(({ version }) => version)
  const higher = versions.filter((version) => version > one.version)
  return versions.includes(one.version) || higher.length === 0 ? undefined : Math.min(...higher)
}

/** The version that a breaking change must be made under: one that is new here, else the next. */
export function nextVersion(one: Operation, { old, next }: Sides, kind: VersioningKind): number {
  const known = highestOf(unitOf(one, old, kind))
  const highest = highestOf(unitOf(one, next, kind))
  // What has no version yet is the first one to its callers.
  return highest > known ? highest : Math.max(known, 1) + 1
}

/** Where a version of an operation's noun stands: `/v2/user`, or `/v2` for all of an api. */
export function versionPlace({ mount, noun }: Operation, version: number, kind: VersioningKind): string {
  const prefix = version === 0 ? mount : `${mount}${versionText(version)}`
  return kind === 'whole' ? prefix || 'the paths without a version' : `${prefix}/${noun}`
}

function highestOf(operations: readonly Operation[]): number {
  return Math.max(0, ...operations.map(({ version }) => version))
}
