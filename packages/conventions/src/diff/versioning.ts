/** Determines the versioning of an api, and the version that a breaking change needs. */
import type { OpenApiDocument } from '../document/read-document.ts'
import { type Operation, versionText } from './operation.ts'

/** A versioning policy. `whole`: all operations have one version. `per-noun`: every noun has its own. */
export type VersioningKind = 'whole' | 'per-noun'

/** The versioning policy of an api, and where it comes from. */
export interface Versioning {
  readonly kind: VersioningKind
  /** The source: the option, the documents (`x-nomen-versioning`), or the paths. */
  readonly source: 'option' | 'document' | 'paths'
}

/** From the option, or else from the first document with `x-nomen-versioning`, or else from the paths. */
export function versioningOf(
  documents: readonly OpenApiDocument[],
  operations: Sides,
  option?: VersioningKind,
): Versioning {
  if (option) return { kind: option, source: 'option' }
  for (const document of documents) {
    const kind = document['x-nomen-versioning']
    if (kind === 'whole' || kind === 'per-noun') return { kind, source: 'document' }
  }
  // If the old document has no versions, use the new one.
  const versioned = operations.old.some(({ version }) => version > 0) ? operations.old : operations.next
  return { kind: isWhole(versioned) ? 'whole' : 'per-noun', source: 'paths' }
}

export interface Sides {
  readonly old: readonly Operation[]
  readonly next: readonly Operation[]
}

/** Whether all operations have a version, and the highest version has all nouns. */
function isWhole(operations: readonly Operation[]): boolean {
  if (operations.length === 0 || operations.some(({ version }) => version === 0)) return false
  const highest = highestOf(operations)
  const current = new Set(operations.filter(({ version }) => version === highest).map(({ noun }) => noun))
  return operations.every(({ noun }) => current.has(noun))
}

/** All operations that share the version of an operation. */
function unitOf(operation: Operation, all: readonly Operation[], kind: VersioningKind): readonly Operation[] {
  return kind === 'whole' ? all : all.filter(({ noun }) => noun === operation.noun)
}

/** The version that replaced the version of an operation; undefined if the old version still exists. */
export function replacementOf(operation: Operation, { next }: Sides, kind: VersioningKind): number | undefined {
  const versions = unitOf(operation, next, kind).map(({ version }) => version)
  const higher = versions.filter((version) => version > operation.version)
  return versions.includes(operation.version) || higher.length === 0 ? undefined : Math.min(...higher)
}

/** The version for a breaking change: the new one of the document, or else the next number. */
export function nextVersion(operation: Operation, { old, next }: Sides, kind: VersioningKind): number {
  const highestOldVersion = highestOf(unitOf(operation, old, kind))
  const highestNewVersion = highestOf(unitOf(operation, next, kind))
  // Paths without a version count as version 1.
  return highestNewVersion > highestOldVersion ? highestNewVersion : Math.max(highestOldVersion, 1) + 1
}

/** The prefix of a version: `/v2/user`, or `/v2` for the whole api. A webhook has no version, only its name. */
export function versionPrefix({ mount, noun, purpose }: Operation, version: number, kind: VersioningKind): string {
  if (purpose === 'webhook') return `the webhook ${noun}`
  const prefix = version === 0 ? mount : `${mount}${versionText(version)}`
  return kind === 'whole' ? prefix || 'the paths without a version' : `${prefix}/${noun}`
}

function highestOf(operations: readonly Operation[]): number {
  return Math.max(0, ...operations.map(({ version }) => version))
}
