/** Compares two documents: their changes, which of them are breaking, and which new versions they need. */
import type { OpenApiDocument } from '../document/read-document.ts'
import type { Change } from './change.ts'
import { type ChangeCollector, collectChanges } from './change-collector.ts'
import { type Code, verdictOf } from './code.ts'
import { compareOperation } from './compare/operation.ts'
import { compareSentRequest } from './compare/sent-request.ts'
import { below, elementsOf, objectAt, root } from './location.ts'
import { type Matching, match } from './match.ts'
import { mountsOf, type Operation, operationsOf, versionText, webhooksOf } from './operation.ts'
import { type RequiredVersion, requiredVersionsOf } from './required-version.ts'
import { sunsetOf } from './sunset.ts'
import { replacementOf, type Sides, type Versioning, type VersioningKind, versioningOf } from './versioning.ts'

/** Options of `diff`. */
export interface DiffOptions {
  /** Overrides the versioning in the documents. */
  readonly versioning?: VersioningKind
  /** Codes of breaking changes to allow without a new version. */
  readonly accept?: readonly Code[]
  /** The current day for sunsets, such as `2026-03-01`. @default today */
  readonly today?: string
}

/** The differences between two OpenAPI documents. */
export interface Difference {
  readonly versioning: Versioning
  /** Breaking changes first. */
  readonly changes: readonly Change[]
  /** The new versions that the changes need; empty if the change can be released. */
  readonly requiredVersions: readonly RequiredVersion[]
}

/** An OpenAPI document, or all documents of one api, such as one for each version. */
export type Documents = OpenApiDocument | readonly OpenApiDocument[]

/**
 * Compares two versions of an OpenAPI document, and detects breaking changes.
 *
 * @example
 * ```ts
 * const [before, after] = [await readDocument('openapi-v1.yaml'), await readDocument('openapi.yaml')]
 * const { changes, requiredVersions } = diff(before, after)
 * if (requiredVersions.length > 0) console.error(changes.filter(({ isBreaking }) => isBreaking))
 * ```
 */
export function diff(old: Documents, next: Documents, options: DiffOptions = {}): Difference {
  const documents = { old: listOf(old), next: listOf(next) }
  const mounts = [...documents.old, ...documents.next].flatMap(mountsOf)
  const sides = {
    old: documents.old.flatMap((document) => operationsOf('old', document, mounts)),
    next: documents.next.flatMap((document) => operationsOf('new', document, mounts)),
  }
  const versioning = versioningOf([...documents.next, ...documents.old], sides, options.versioning)
  const collector = collectChanges()
  const matching = match(sides.old, sides.next)
  for (const [oldOperation, nextOperation] of matching.matched)
    compareOperation(oldOperation, nextOperation, collector.changesOf(oldOperation))
  const webhooks = match(
    documents.old.flatMap((document) => webhooksOf('old', document)),
    documents.next.flatMap((document) => webhooksOf('new', document)),
  )
  for (const [oldWebhook, nextWebhook] of webhooks.matched)
    compareSentRequest(oldWebhook, nextWebhook, `the webhook ${oldWebhook.path}`, collector.changesOf(oldWebhook))
  addRaisedVersions(matching, sides, versioning.kind, collector)
  const today = options.today ?? new Date().toISOString().slice(0, 10)
  for (const { removed, added } of [matching, webhooks]) {
    addRemovedOperations(removed, sides, versioning.kind, today, collector)
    addNewOperations(added, sides, collector)
  }
  if (versioning.kind === 'whole') addIncompleteVersions(sides, collector)
  const accepted = new Set<string>(options.accept)
  const judgedChanges = collector.changes().map(({ change, operations }) => {
    return {
      operations,
      change: change.isBreaking && accepted.has(change.code) ? { ...change, isAccepted: true } : change,
    }
  })
  return {
    versioning,
    changes: [...judgedChanges.map(({ change }) => change), ...serverChanges(documents.old, documents.next)].sort(
      (a, b) => Number(b.isBreaking) - Number(a.isBreaking),
    ),
    requiredVersions: requiredVersionsOf(judgedChanges, sides, versioning.kind),
  }
}

/** Adds operations whose version was replaced: of a noun or operation alone, or of the whole api. */
function addRaisedVersions(
  { raised }: Matching,
  sides: Sides,
  kind: VersioningKind,
  { changesOf }: ChangeCollector,
): void {
  const oldNames = new Set(sides.old.map(nameOf))
  for (const [oldOperation, nextOperation] of raised) {
    const isAllowed = kind === 'per-noun' || replacementOf(oldOperation, sides, kind) !== undefined
    const existedBefore = oldNames.has(nameOf(nextOperation))
    const operationChanges = changesOf(oldOperation, { newVersion: isAllowed ? nextOperation.version : undefined })
    const message = `It moved from ${versionText(oldOperation.version)} to ${versionText(nextOperation.version)}.`
    operationChanges.addChange(existedBefore ? 'version-retired' : 'version-raised', message, nextOperation.location)
    // A version that existed before is known to its callers: its differences are not new.
    if (!existedBefore) compareOperation(oldOperation, nextOperation, operationChanges)
  }
}

function nameOf({ key, version }: Operation): string {
  return `${key} ${version}`
}

/** Adds removed operations, which a new version or a past sunset allows. */
function addRemovedOperations(
  removed: readonly Operation[],
  sides: Sides,
  kind: VersioningKind,
  today: string,
  { changesOf }: ChangeCollector,
): void {
  for (const operation of removed) {
    const sunset = sunsetOf(operation.location)
    const isPast = sunset !== undefined && sunset <= today
    const { addChange } = changesOf(operation, {
      newVersion: operation.purpose === 'webhook' ? undefined : replacementOf(operation, sides, kind),
      sunset: isPast ? sunset : undefined,
    })
    addChange(`${operation.purpose}-removed`, 'It was removed.', operation.location)
  }
}

function addNewOperations(added: readonly Operation[], { next }: Sides, { changesOf }: ChangeCollector): void {
  const byKey = Map.groupBy(next, ({ key }) => key)
  for (const operation of added) {
    const previousVersion = byKey.get(operation.key)?.find(({ version }) => version < operation.version)
    const { addChange } = changesOf(operation)
    if (previousVersion)
      addChange('version-added', `It was added; ${previousVersion.path} still exists.`, operation.location)
    else addChange(`${operation.purpose}-added`, 'It was added.', operation.location)
  }
}

/** A new version next to the previous one must have all of its nouns. */
function addIncompleteVersions({ old, next }: Sides, { changesOf }: ChangeCollector): void {
  const highestOldVersion = Math.max(0, ...old.map(({ version }) => version))
  const versions = new Set(next.map(({ version }) => version).filter((version) => version > highestOldVersion))
  for (const version of versions) {
    const nouns = new Set(next.filter((operation) => operation.version === version).map(({ noun }) => noun))
    const previous = next.filter((operation) => operation.version === highestOldVersion && !nouns.has(operation.noun))
    for (const [noun, operation] of new Map(previous.map((operation) => [operation.noun, operation] as const))) {
      const message = `${versionText(version)} has no ${noun}, which exists only in ${versionText(highestOldVersion)}.`
      changesOf(operation).addChange('version-incomplete', message, operation.location)
    }
  }
}

function serverChanges(old: readonly OpenApiDocument[], next: readonly OpenApiDocument[]): readonly Change[] {
  const [oldServers, nextServers] = [old, next].map((documents) => {
    const roots = documents.map((document) => root('new', document))
    const urls = roots.flatMap((home) => elementsOf(below(home, 'servers')).map((server) => `${objectAt(server).url}`))
    return [...new Set(urls)].join(', ') || 'none'
  })
  const [document] = next
  if (oldServers === nextServers || !document) return []
  const documentRoot = root('new', document)
  const { pointer } = below(documentRoot, 'servers') ?? documentRoot
  const message = `The servers changed from ${oldServers} to ${nextServers}.`
  const code = 'server-changed'
  return [{ code, ...verdictOf(code), method: '', path: '', operations: [], pointer, document: 'new', message }]
}

function listOf(documents: Documents): readonly OpenApiDocument[] {
  return Array.isArray(documents) ? documents : [documents as OpenApiDocument]
}
