/** `nomen new`: writes a small project to begin with. */
import { basename, resolve } from 'node:path'
import { api, DeclarationError, identity, noun, resource, singularOf } from '@nomen/core'
import { service } from '@nomen/server'
import { redactedAddress } from '@nomen/server/internal'
import { type Arguments, type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { firstProject } from '../new/first-project.ts'
import type { Reading } from '../new/from/from-document.ts'
import { importedProject } from '../new/from/imported-project.ts'
import { notesReport } from '../new/from/note.ts'
import { projectFiles } from '../new/project-files.ts'
import { ask, type Question } from '../new/question.ts'
import { refuseUsedFolder, writeFiles } from '../new/target-folder.ts'
import { packageVersion } from '../source/package-version.ts'

const flags: readonly Flag[] = [
  { name: 'name', value: 'name', about: 'the name of the service; that of the folder unless given' },
  { name: 'noun', value: 'noun', about: 'the first noun, in the singular; item unless given' },
  { name: 'database', value: 'address', about: 'sqlite unless given, which needs no setting up; or postgres://…' },
  {
    name: 'from',
    value: 'source',
    about: 'read the nouns from an OpenAPI document or a database, postgres://…, and tell what did not fit',
  },
  { name: 'yes', about: 'ask nothing, and take what is usual' },
]

export const newCommand: Command = {
  name: 'new',
  flags,
  help: `Usage: nomen new <folder> [options]

Writes a project: declarations, the service, mocks, a call with the client, tests, and npm scripts for all of them. The
folder must be empty, or not there yet. On a terminal it asks for what no flag gives; elsewhere it takes what is usual.

${flagHelp(flags)}`,
  async run(words) {
    const args = readArguments(flags, words, ['folder'])
    const [folder] = args.positionals
    if (folder === undefined) throw new CommandError('nomen new needs a folder.', 'Name one: nomen new desk')
    refuseUsedFolder(folder)
    const from = args.text('from')
    const isAdopted = from !== undefined && isDatabase(from)
    const source = from !== undefined && isAdopted ? redactedAddress(from) : from
    const reading = from === undefined ? undefined : await read(from)
    const [name = '', first = '', given = ''] = await answers(args, folder)
    const database = given === 'sqlite' ? undefined : given
    const project =
      source !== undefined && reading
        ? importedProject(name, { source, reading, database, isAdopted })
        : firstProject(name, first, database)
    const files = projectFiles(project, packageVersion())
    writeFiles(folder, files)
    if (reading) console.log(notesReport(reading.notes))
    console.log(farewell(name, folder, Object.keys(files).length, isAdopted))
  },
}

/** Loaded where it is used: to read documents takes more than all the rest. */
async function read(source: string): Promise<Reading> {
  if (isDatabase(source)) {
    const { fromDatabase } = await import('../new/from/from-database.ts')
    return fromDatabase(source)
  }
  if (/^[a-z]+:\/\//i.test(source) && !/^https?:/i.test(source)) {
    // What it is instead may hold a password.
    const scheme = source.slice(0, source.indexOf(':'))
    throw new CommandError(
      `--from reads no ${scheme}:// address.`,
      'Name an OpenAPI document, a file or an http address; or a database: postgres://…',
    )
  }
  const { fromDocument } = await import('../new/from/from-document.ts')
  return fromDocument(source)
}

function isDatabase(source: string): boolean {
  return /^postgres(ql)?:\/\//i.test(source)
}

/** From the flags; what they leave open from the person at the terminal, where there is one. */
async function answers(args: Arguments, folder: string): Promise<readonly string[]> {
  const questions: readonly (Question & { readonly flag: string })[] = [
    { flag: 'name', text: 'Name of the service', usual: usualName(folder), check: checkName },
    { flag: 'noun', text: 'First noun, in the singular', usual: 'item', check: checkNoun, better: singularOf },
    { flag: 'database', text: 'Database, sqlite or postgres://…', usual: 'sqlite', check: checkDatabase },
  ]
  const from = args.text('from')
  const known = from === undefined ? [] : isDatabase(from) ? ['noun', 'database'] : ['noun']
  const open = questions.filter(({ flag }) => args.text(flag) === undefined && !known.includes(flag))
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && !args.isOn('yes')
  const asked = isTerminal ? await ask({ input: process.stdin, output: process.stdout }, open) : []
  return questions.map((question) => {
    const answer = args.text(question.flag) ?? asked[open.indexOf(question)] ?? question.usual
    question.check(answer)
    return answer
  })
}

/** `My Desk` gives `my-desk`; a folder whose name has no letters is no help. */
function usualName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
  return name || 'service'
}

function checkName(name: string): void {
  declared('--name', () => service({ name, apis: [exampleApi('item')] }))
}

function checkNoun(name: string): void {
  declared('--noun', () => exampleApi(name))
}

function exampleApi(name: string) {
  const shown = resource(noun(name, { id: identity() }))
  return api('example', { version: 1, versioning: 'whole', writes: 'flat', resources: [shown] })
}

/** What would not start is not written in the first place. */
function declared(flag: string, declare: () => unknown): void {
  try {
    declare()
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error
    throw new CommandError(`${error.subject}: ${error.rule}`, `Fix: ${error.fix} The flag is ${flag}.`)
  }
}

function checkDatabase(address: string): void {
  if (address === 'sqlite' || (/^postgres(ql)?:\/\//.test(address) && URL.canParse(address))) return
  throw new CommandError(
    `"${address}" is no database.`,
    'Give sqlite, or an address such as postgres://localhost/desk.',
  )
}

function farewell(name: string, folder: string, count: number, isAdopted: boolean): string {
  const isHere = resolve(folder) === process.cwd()
  const path = /^[\w./~-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
  return [
    `${name} is written to ${isHere ? 'this folder' : folder}: ${count} files. Go on with`,
    `  ${isHere ? '' : `cd ${path} && `}npm install`,
    ...(isAdopted
      ? [
          '  export DATABASE_URL=…          # the address that was read: no file holds it',
          '  npx nomen migrate --adopt --plan',
          '  npx nomen migrate --adopt',
        ]
      : []),
    '  npm run dev',
  ].join('\n')
}
