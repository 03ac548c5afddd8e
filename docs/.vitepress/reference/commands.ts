/** The reference of all commands, and of all settings, from the flags of the command line. */
import { type Command, type Flag, flagHelp } from '../../../packages/cli/src/command.ts'
import { commands } from '../../../packages/cli/src/main.ts'
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
    const command = await load()
    const [before = '', after = ''] = splitHelp(command)
    const [usage = '', ...description] = before.split('\n\n')
    const shownUsage = `\`\`\`text\n${usage.replace('Usage: ', '').replaceAll(/^ +/gm, '')}\n\`\`\``
    const purpose = `${summary[0]?.toUpperCase()}${summary.slice(1)}.`
    const text = description.join('\n\n')
    return [`### nomen ${name}`, escaped(purpose), shownUsage, prose(text), flagTable(command.flags), prose(after)]
      .filter((part) => part !== '')
      .join('\n\n')
  })
  return (await Promise.all(sections)).join('\n\n')
}

/** The help before and after the list of flags. */
function splitHelp({ help, flags }: Command): readonly string[] {
  return flags.length === 0 ? [help] : help.split(flagHelp(flags))
}

/** Paragraphs; indented ones are examples. */
function prose(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs
    .map((paragraph) =>
      /^\n? {2}\S/.test(paragraph)
        ? `\`\`\`text\n${paragraph.replaceAll(/^ {2}/gm, '').trim()}\n\`\`\``
        : escaped(withoutPaths(paragraph.trim())),
    )
    .join('\n\n')
}

/** The help ends with the path of a page, which depends on the folder. */
function withoutPaths(text: string): string {
  return text.replaceAll(/(?:\n?More: |See )?\S*docs\/(\w+\.md)/g, ' See [$1]($1)').trim()
}

function flagTable(flags: readonly Flag[]): string {
  if (flags.length === 0) return ''
  const rows = flags.map((flag) => [code(usageOf(flag)), flag.environment ?? '', meaning(flag), defaultOf(flag)])
  return table(['flag', 'variable', 'meaning', 'default'], rows)
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
      .map((flag) => [`${flag.environment}`, code(`nomen ${name} ${usageOf(flag)}`), meaning(flag)]),
  )
  return table(['variable', 'flag', 'meaning'], rows)
}

function usageOf({ name, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` <${value}>`}`
}

const defaultPattern = / ?\(default: ((?:[^()]|\([^()]*\))+)\)/

function meaning({ about }: Flag): string {
  return escaped(about.replace(defaultPattern, ''))
}

function defaultOf({ about, value }: Flag): string {
  const text = defaultPattern.exec(about)?.[1]
  if (text === undefined) return value === undefined ? 'off' : ''
  return /^[\w./:<>,-]+$/.test(text) && !/^(none|unlimited)$/.test(text)
    ? code(text.replaceAll(',', ', '))
    : escaped(text)
}
