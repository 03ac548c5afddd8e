/** A comparison as Markdown, for a comment on a pull request. */
import type { Difference } from '../diff.ts'
import { allowanceText, type ChangeGroup, countText, groupsOf, shorten } from './group.ts'

/**
 * Writes the differences of two OpenAPI documents as Markdown, for a comment on a pull request. `name` is the name of the api.
 *
 * @example
 * ```ts
 * const [before, after] = [await readDocument('openapi-v1.yaml'), await readDocument('openapi.yaml')]
 * console.log(diffMarkdown(diff(before, after), 'directory'))
 * ```
 */
export function diffMarkdown({ changes, requiredVersions }: Difference, name: string): string {
  const breaking = groupsOf(changes, 'breaking')
  const allowed = groupsOf(changes, 'allowed')
  const compatible = groupsOf(changes, 'compatible')
  const title = `## ${escapeMarkdown(name || 'API')}: `
  if (changes.length === 0) return `${title}no changes\n`
  const verdict =
    requiredVersions.length > 0 ? 'breaking changes without a new version' : 'no breaking changes without a new version'
  const messages = requiredVersions.map(({ message }) => message)
  const versionMessages = shorten(messages, 'noun', escapeMarkdown).map((text) => `- ${text}`)
  const lines = [`${title}${verdict}`, '', ...versionMessages]
  if (breaking.length > 0) lines.push('', ...table(breaking))
  if (allowed.length > 0) lines.push('', ...detailsBlock('breaking change', 'allowed', allowed))
  if (compatible.length > 0) lines.push('', ...detailsBlock('change', 'compatible', compatible))
  return `${lines.join('\n')}\n`
}

function table(groups: readonly ChangeGroup[]): readonly string[] {
  return [
    '| where | change | why |',
    '|---|---|---|',
    ...groups.map(({ change, operations }) => {
      const operationList = shorten(operations, 'operation', code).join('<br>')
      return `| ${operationList} | ${code(change.code)}${allowanceText(change)}: ${escapeMarkdown(change.message)} | ${escapeMarkdown(change.why)} |`
    }),
  ]
}

function detailsBlock(itemName: string, description: string, groups: readonly ChangeGroup[]): readonly string[] {
  return [
    '<details>',
    `<summary>${countText(groups.length, itemName)}, ${description}</summary>`,
    '',
    ...table(groups),
    '',
    '</details>',
  ]
}

/** Escapes names and values of documents, so that none ends a cell or becomes a tag or a link. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|#!@]/g, '\\$&').replaceAll(/\s+/g, ' ')
}

function code(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
  return `${fence}${text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}${fence}`
}
