/** `nomen new`: creates a small project. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { redactedUrl } from '@nomen/server/internal'
import { type Arguments, type Command, type Flag, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { choiceOf } from '../flag/choice.ts'
import { packageDependencies } from '../new/dependency.ts'
import { firstProject } from '../new/first-project.ts'
import type { ImportedParts } from '../new/from/imported-parts.ts'
import { importedProject } from '../new/from/imported-project.ts'
import { notesReport } from '../new/from/note.ts'
import { oldNodeNote } from '../new/node-of-npm.ts'
import { templates } from '../new/project.ts'
import { projectFiles } from '../new/project-files.ts'
import { folderQuestion, projectQuestions } from '../new/project-question.ts'
import { ask, type Terminal } from '../new/question.ts'
import { checkIsEmpty, writeFiles } from '../new/target-folder.ts'
import { quoteForShell } from '../output/quote-for-shell.ts'
import { packageVersion } from '../source/package-version.ts'

const flags: readonly Flag[] = [
  { name: 'name', value: 'name', about: 'name of the service (default: the name of the folder)' },
  { name: 'noun', value: 'noun', about: 'first noun, in the singular (default: item)' },
  { name: 'database', value: 'URL', about: 'sqlite, which needs no setup, or postgres://… (default: sqlite)' },
  {
    name: 'from',
    value: 'source',
    about:
      'create the nouns from an OpenAPI document (file or URL) or a database (postgres://…); the command lists the parts that it cannot convert',
  },
  {
    name: 'template',
    value: 'name',
    choices: templates,
    about: 'plain: run by nomen serve; hono or next: mounted below /api in Hono or Next.js (default: plain)',
  },
  { name: 'yes', about: 'use the defaults without questions' },
]

export const newCommand: Command = {
  name: 'new',
  flags,
  usage: 'new <folder> [options]',
  description: `Creates a project: declarations, the service, mocks, a client call, tests, and npm scripts. The folder must be empty or
new. On a terminal, the command asks for values that you did not give as flags. Otherwise it uses the defaults.`,
  async run(argv) {
    const args = readArguments(flags, argv, ['folder'])
    const terminal = terminalFor(args)
    const folder = args.positionals[0] ?? (await askFolder(terminal))
    checkIsEmpty(folder)
    const from = args.text('from')
    const isAdopted = from !== undefined && isDatabase(from)
    const source = from !== undefined && isAdopted ? redactedUrl(from) : from
    const importedParts = from === undefined ? undefined : await readSource(from)
    const [name = '', first = '', databaseAnswer = ''] = await projectAnswers(args, folder, terminal)
    const database = databaseAnswer === 'sqlite' ? undefined : databaseAnswer
    const template = choiceOf(args, 'template', templates, 'plain')
    const project =
      source !== undefined && importedParts
        ? importedProject(name, { source, parts: importedParts, database, isAdopted })
        : firstProject(name, first, database)
    mkdirSync(folder, { recursive: true })
    const files = projectFiles({ ...project, template }, packageDependencies(folder, packageVersion()))
    writeFiles(folder, files)
    if (importedParts) console.log(notesReport(importedParts.notes))
    console.log(nextSteps(name, folder, Object.keys(files).length, isAdopted))
    const note = oldNodeNote()
    if (note !== undefined) console.error(`nomen: ${note}`)
  },
}

/** Loads the reader on demand, because it takes longer to load than everything else. */
async function readSource(source: string): Promise<ImportedParts> {
  if (isDatabase(source)) {
    const { fromDatabase } = await import('../new/from/database/from-database.ts')
    return fromDatabase(source)
  }
  if (/^[a-z]+:\/\//i.test(source) && !/^https?:/i.test(source)) {
    // The URL may contain a password: the message has only its scheme.
    const scheme = source.slice(0, source.indexOf(':'))
    throw new CommandError(
      `--from cannot read a ${scheme}:// URL.`,
      'Use a file path or an http(s) URL of an OpenAPI document, or the URL of a database: postgres://…',
    )
  }
  const { fromDocument } = await import('../new/from/document/from-document.ts')
  return fromDocument(source)
}

function isDatabase(source: string): boolean {
  return /^postgres(ql)?:\/\//i.test(source)
}

/** The terminal for questions; undefined without a terminal, or with --yes. */
function terminalFor(args: Arguments): Terminal | undefined {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && !args.isOn('yes')
  return isTerminal ? { input: process.stdin, output: process.stdout } : undefined
}

async function askFolder(terminal: Terminal | undefined): Promise<string> {
  if (!terminal) throw new CommandError('new needs a folder.', 'For example: nomen new desk')
  const [folder = ''] = await ask(terminal, [folderQuestion])
  return folder
}

/** Values from flags, then answers from the terminal, then defaults. */
async function projectAnswers(
  args: Arguments,
  folder: string,
  terminal: Terminal | undefined,
): Promise<readonly string[]> {
  const from = args.text('from')
  const unaskedFlags = from === undefined ? [] : isDatabase(from) ? ['noun', 'database'] : ['noun']
  const questions = projectQuestions(folder)
  const openQuestions = questions.filter(({ flag }) => args.text(flag) === undefined && !unaskedFlags.includes(flag))
  const typedAnswers = terminal ? await ask(terminal, openQuestions) : []
  return questions.map((question) => {
    const answer = args.text(question.flag) ?? typedAnswers[openQuestions.indexOf(question)] ?? question.defaultAnswer
    question.check(answer)
    return answer
  })
}

function nextSteps(name: string, folder: string, count: number, isAdopted: boolean): string {
  const isHere = resolve(folder) === process.cwd()
  const path = /^[\w./~-]+$/.test(folder) ? folder : quoteForShell(folder)
  return [
    `Created the project "${name}" in ${isHere ? 'this folder' : `the folder "${folder}"`} (${count} files). Next steps:`,
    `  ${isHere ? '' : `cd ${path} && `}npm install`,
    ...(isAdopted
      ? [
          '  export DATABASE_URL=…          # the URL that you gave; it is not stored in any file',
          '  npx nomen migrate --adopt --plan',
          '  npx nomen migrate --adopt',
        ]
      : []),
    '  npm run dev',
  ].join('\n')
}
