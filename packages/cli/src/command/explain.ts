/** `nomen explain`: shows how the database reads a list, and which index would help. */
import { ProblemError } from '@nomen/core'
import { explainList, type ListExplanation } from '@nomen/server/admin'
import { type Command, type Flag, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { databaseFlag, directDatabaseOf } from '../flag/database-url.ts'
import { countText } from '../output/number-text.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [{ name: 'sql', about: 'also print the SQL statement' }, databaseFlag]

export const explainCommand: Command = {
  name: 'explain',
  flags,
  usage: "explain [GET] '/<path>?<query>' [service file or folder] [options]",
  description: `Runs the statement of a list once, and prints its query plan, its time, and the indexes that would help. Nothing is
changed. Visibility filters are not applied.

  nomen explain '/user?department=3&sort=lastName'`,
  notes: `The command measures one run of the statement. A running service may be faster: it prepares statements,
and caches totals on SQLite.`,
  async run(argv) {
    const args = readArguments(flags, argv, 'any')
    const [first = '', ...others] = args.positionals
    const [target, serviceFile, extra] = first.toUpperCase() === 'GET' ? others : args.positionals
    if (extra !== undefined) throw new CommandError(`Unexpected argument "${extra}".`, example)
    if (target === undefined || !/^(\/|https?:\/\/)/.test(target))
      throw new CommandError('explain needs the path of a list, which begins with /.', example)
    const service = await loadService(serviceFile)
    const path = withoutOrigin(target)
    const explanation = await explainList(service, { database: directDatabaseOf(args, service), target: path }).catch(
      (error) => {
        throw error instanceof ProblemError ? requestError(error) : error
      },
    )
    console.log(report(path, explanation, args.isOn('sql')))
  },
}

const example = "For example: nomen explain '/user?sort=lastName'"

/** The path and the query of a URL that was copied from a browser or a log. */
function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

function requestError({ problem: { detail, hint, errors = [] } }: ProblemError): CommandError {
  const faults = errors.map((error) => `${'parameter' in error ? `"${error.parameter}" ` : ''}${error.detail}`)
  return new CommandError([`${detail}`, ...(hint ? [] : faults)].join(' '), hint ?? example)
}

function report(path: string, explanation: ListExplanation, showsStatement: boolean): string {
  const { numberOfRecords, durationMs, steps, statement, advice } = explanation
  const result =
    numberOfRecords === undefined
      ? 'Stopped after 10 s: a service would respond with 503. The plan is an estimate.'
      : `${countText(numberOfRecords, 'matching record')}; the query took ${durationMs.toFixed(1)} ms.`
  const list = (heading: string, lines: readonly string[]) => [heading, ...lines.map((line) => `  ${line}`)].join('\n')
  return [
    `GET ${path}`,
    result,
    ...(showsStatement ? [list('SQL statement:', statement.split('\n'))] : []),
    list('Query plan of the database:', steps),
    advice.length === 0 ? 'Every filter and the order have an index.' : list('Advice:', advice),
  ].join('\n\n')
}
