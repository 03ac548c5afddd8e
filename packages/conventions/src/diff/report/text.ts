/** A comparison as text for a terminal. */
import type { Difference } from '../diff.ts'
import { allowanceText, type ChangeGroup, countText, groupsOf, shorten } from './group.ts'

/** A function that colors text for a terminal. */
export type Paint = (style: 'red' | 'green' | 'yellow' | 'dim' | 'bold', text: string) => string

/**
 * Writes the differences of two OpenAPI documents as text for a terminal.
 *
 * @example
 * ```ts
 * const [before, after] = [await readDocument('openapi-v1.yaml'), await readDocument('openapi.yaml')]
 * console.log(diffText(diff(before, after), (style, text) => text))
 * ```
 */
export function diffText({ changes, requiredVersions, versioning }: Difference, paint: Paint): string {
  const breaking = groupsOf(changes, 'breaking')
  const allowed = groupsOf(changes, 'allowed')
  const compatible = groupsOf(changes, 'compatible')
  const lines = [
    ...breaking.flatMap((group) => groupLines(group, paint)),
    ...sectionLines('Breaking, but allowed', allowed, paint),
    ...sectionLines('Compatible', compatible, paint),
  ]
  if (changes.length === 0) return paint('green', 'No changes.')
  if (requiredVersions.length === 0)
    lines.push(paint('green', `OK: ${countText(changes.length, 'change')}, none of them breaks a current version.`))
  const versionMessages = requiredVersions.map(({ message }) => message)
  for (const message of shorten(versionMessages, 'noun')) lines.push(paint('red', message))
  if (requiredVersions.length > 0) lines.push(paint('dim', versioningText(versioning)))
  return lines.join('\n')
}

function versioningText({ kind, source }: Difference['versioning']): string {
  const origin = { option: 'from --versioning', document: 'from the document', paths: 'guessed from the paths' }[source]
  return `Versioning: ${kind}, ${origin}.${source === 'option' ? '' : ' Use --versioning to change it.'}`
}

function groupLines({ change, operations, numberOfLocations }: ChangeGroup, paint: Paint): readonly string[] {
  const others = numberOfLocations > 1 ? `, and ${countText(numberOfLocations - 1, 'more location')}` : ''
  return [
    `${paint('red', 'breaking')} ${paint('bold', change.code)}`,
    ...shorten(operations, 'operation').map((operation) => `  ${operation}`),
    `  ${change.message}`,
    `  ${change.why}`,
    paint('dim', `  ${change.document} document, #${change.pointer}${others}`),
    '',
  ]
}

function sectionLines(title: string, groups: readonly ChangeGroup[], paint: Paint): readonly string[] {
  if (groups.length === 0) return []
  const lines = groups.map(({ change, operations }) => {
    const [first = '', ...others] = operations
    const moreText = others.length > 0 ? ` and ${others.length.toLocaleString('en-US')} more` : ''
    return `  ${change.code}${allowanceText(change)} ${paint('dim', `${first}${moreText}:`)} ${change.message}`
  })
  return [paint('bold', title), ...lines, '']
}
