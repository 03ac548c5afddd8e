/** A page for each entry point of the packages: every export with its comment, its declaration and its examples. */
import { type EntryPoint, entryPoints } from '../../../scripts/documentation/entry-points.ts'
import { exportsOf, type PublicExport } from '../../../scripts/documentation/exports.ts'
import { escaped, table } from './region.ts'

/** Entry points for users: the command line uses the internal ones. */
const documented = entryPoints.filter(({ name }) => !name.endsWith('/internal'))

/** `docs/api/core-client.md` for `@nomen/core/client`. */
function apiFile({ name }: Pick<EntryPoint, 'name'>): string {
  return `docs/api/${name.replace('@nomen/', '').replaceAll('/', '-')}.md`
}

/** The pages of all entry points, and their index. */
export function apiPages(): ReadonlyMap<string, string> {
  const pages = documented.map((entry) => [apiFile(entry), apiPage(entry)] as const)
  return new Map([...pages, ['docs/api/README.md', apiIndex()]])
}

const notice = '<!-- This page is generated from the source by "npm run docs:generate". -->\n<!-- prose: off -->'

function apiIndex(): string {
  const rows = documented.map((entry) => {
    const names = [...groups(entry).values()].filter(([first]) => !first?.isType).map(([first]) => `\`${first?.name}\``)
    return [`[\`${entry.name}\`](${apiFile(entry).slice('docs/api/'.length)})`, names.join(', ')]
  })
  const text =
    'Everything that the packages export, with the declaration, the comment and examples. The examples are compiled by the tests.'
  return `# API reference of the packages\n\n${notice}\n\n${text}\n\n${table(['entry point', 'functions, classes and objects'], rows)}\n`
}

function apiPage(entry: EntryPoint): string {
  const exported = [...groups(entry).values()]
  const parts = [
    section(
      'Functions, classes and objects',
      exported.filter(([first]) => !first?.isType),
    ),
    section(
      'Types',
      exported.filter(([first]) => first?.isType),
    ),
  ]
  return `# ${entry.name}\n\n${notice}\n\nImport from \`${entry.name}\`.\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** The exports by name: a function may have several signatures. */
function groups({ file }: EntryPoint): ReadonlyMap<string, readonly PublicExport[]> {
  return Map.groupBy(exportsOf(file), ({ name, isType }) => `${name} ${isType}`)
}

function section(title: string, exported: readonly (readonly PublicExport[])[]): string {
  if (exported.length === 0) return ''
  const entries = exported.toSorted(([one], [other]) => (`${one?.name}` < `${other?.name}` ? -1 : 1)).map(entryText)
  return `## ${title}\n\n${entries.join('\n\n')}`
}

function entryText(overloads: readonly PublicExport[]): string {
  const [first] = overloads
  const signatures = overloads.length > 1 ? overloads.slice(0, -1) : overloads
  const declaration = signatures.map(({ signature }) => signature).join('\n')
  const { text, examples } = readComment(overloads.find(({ comment }) => comment)?.comment ?? '')
  const shown = examples.map((example) => `Example:\n\n\`\`\`ts\n${example.trim()}\n\`\`\``)
  return [`### ${first?.name}`, text, `\`\`\`ts\n${declaration}\n\`\`\``, ...shown]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The text of a comment as Markdown, and its examples. */
function readComment(comment: string): { readonly text: string; readonly examples: readonly string[] } {
  const examples = [...comment.matchAll(/^@example\n```ts\n(.*?)^```$/gms)].map(([, example = '']) => example)
  const text = comment
    .replaceAll(/^@example\n```ts\n.*?^```$/gms, '')
    .replaceAll(/^@(throws|default|returns|param|see) ?/gm, (_, tag: string) => `\n${tags[tag]}: `)
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/\n{3,}/g, '\n\n')
  return {
    text: text
      .split(/(`[^`]+`)/)
      .map((part, index) => (index % 2 ? part : plain(part)))
      .join('')
      .trim(),
    examples,
  }
}

const tags: Readonly<Record<string, string>> = {
  throws: 'Throws',
  default: 'Default',
  returns: 'Returns',
  param: 'Parameter',
  see: 'See',
}

function plain(text: string): string {
  return text.split('\n').map(escaped).join('\n')
}
