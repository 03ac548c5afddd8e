/** The reference of all commands, and of all settings, from the flags of the command line. */
import type { Flag } from '../../../packages/cli/src/command.ts'
import { commands } from '../../../packages/cli/src/main.ts'
import { flagGroups, flagUsage } from '../../../packages/cli/src/output/help.ts'
import { code, escaped, table } from './region.ts'

/** Pages that explain settings, by the first words of their flags. */
const explanations: readonly (readonly [flag: RegExp, page: string])[] = [
  [/^database-direct$/, 'postgresql.md#pgbouncer'],
  [/^database-read$/, 'postgresql.md#read-replicas'],
  [/^database$/, 'postgresql.md'],
  [/^workers$/, 'deploy.md#several-processes'],
  [/^watch$/, 'commands.md#reload-during-development'],
  [/^trust-proxy$/, 'deploy.md#reverse-proxy'],
  [/^jwt-user-claim$/, 'authentication.md#user-identity'],
  [/^auth$|^jwt-/, 'authentication.md'],
  [/^console-/, 'console.md'],
  [/^rate-limit$/, 'limits.md#rate-limiting'],
  [/^cors-/, 'limits.md#cors-and-cross-site-requests'],
  [/^webhook-/, 'webhooks.md'],
  [/^follower-limit$/, 'follow-changes.md#limits'],
  [/-limit$|-timeout$|^stop-delay$/, 'limits.md#limits'],
  [/^usage/, 'usage.md'],
  [/^ship$/, 'shipping.md'],
  [/^log-level$/, 'observability.md#application-log'],
  [/^server-timing$/, 'observability.md#server-timing'],
]

/** A section for each command: usage, description and flags. */
export async function commandSections(): Promise<string> {
  const sections = commands.map(async ({ name, summary, load }) => {
    const { usage, description, flags, notes = '' } = await load()
    const purpose = `${summary[0]?.toUpperCase()}${summary.slice(1)}.`
    const shownUsage = `\`\`\`text\n${usage.replaceAll(/^/gm, 'nomen ')}\n\`\`\``
    return [`### nomen ${name}`, escaped(purpose), shownUsage, prose(description), ...flagTables(flags), prose(notes)]
      .filter((part) => part !== '')
      .join('\n\n')
  })
  return (await Promise.all(sections)).join('\n\n')
}

/** Paragraphs; indented ones are examples. */
function prose(text: string): string {
  const paragraphs = text.split('\n\n').filter((paragraph) => paragraph.trim() !== '')
  return paragraphs
    .map((paragraph) =>
      paragraph.startsWith('  ')
        ? `\`\`\`text\n${paragraph.replaceAll(/^ {2}/gm, '').trim()}\n\`\`\``
        : escaped(withoutPaths(paragraph.trim())),
    )
    .join('\n\n')
}

/** The help ends with the path of a page, which depends on the folder. */
function withoutPaths(text: string): string {
  return text.replaceAll(/\S*docs\/(\w+\.md)/g, '[$1]($1)')
}

/** One table for each group of flags. */
function flagTables(flags: readonly Flag[]): readonly string[] {
  return [...flagGroups(flags)].map(([group, members]) => {
    const rows = members.map((flag) => [code(flagUsage(flag)), flag.environment ?? '', meaning(flag), defaultOf(flag)])
    const head = group === undefined ? '' : `**${group}**\n\n`
    return `${head}${table(['flag', 'variable', 'meaning', 'default'], rows)}`
  })
}

/** All settings of `nomen serve` in one table. */
export async function settingsTable(): Promise<string> {
  const serve = await commands.find(({ name }) => name === 'serve')?.load()
  const rows = (serve?.flags ?? []).map((flag) => {
    const page = explanations.find(([pattern]) => pattern.test(flag.name))?.[1]
    const about = `${meaning(flag)}${page === undefined ? '' : ` ([more](${page}))`}`
    return [`\`--${flag.name}\``, flag.environment ?? '', escaped(flag.value ?? 'switch'), defaultOf(flag), about]
  })
  return table(['flag', 'variable', 'type', 'default', 'meaning'], rows)
}

/** The variables of the other commands. */
export async function otherVariables(): Promise<string> {
  const loaded = await Promise.all(commands.map(({ load }) => load()))
  const serve = loaded.find(({ name }) => name === 'serve')
  const known = new Set(serve?.flags.map(({ environment }) => environment))
  const rows = loaded.flatMap(({ name, flags }) =>
    flags
      .filter(({ environment }) => environment !== undefined && !known.has(environment))
      .map((flag) => [`${flag.environment}`, code(`nomen ${name} ${flagUsage(flag)}`), meaning(flag)]),
  )
  return table(['variable', 'flag', 'meaning'], rows)
}

const defaultPattern = / ?\(default: ((?:[^()]|\([^()]*\))+)\)/

function meaning({ about }: Flag): string {
  return escaped(about.replace(defaultPattern, ''))
}

function defaultOf({ about, value }: Flag): string {
  const text = defaultPattern.exec(about)?.[1]
  if (text === undefined) return value === undefined ? 'off' : ''
  const isValue = /^[\w./:<>-]+(, [\w./:<>-]+)*$/.test(text) && !/^(none|unlimited)$/.test(text)
  return isValue ? code(text) : escaped(text)
}
