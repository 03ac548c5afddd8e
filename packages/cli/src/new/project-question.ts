/** The questions of `nomen new`, with the checks of the answers. */
import { basename, resolve } from 'node:path'
import { api, DeclarationError, identity, noun, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { CommandError } from '../command-error.ts'
import { nounName } from './from/names.ts'
import type { Question } from './question.ts'
import { checkIsEmpty } from './target-folder.ts'

export const folderQuestion: Question = { text: 'Folder', defaultAnswer: 'desk', check: checkIsEmpty }

/** The questions, each with its flag. */
export function projectQuestions(folder: string): readonly (Question & { readonly flag: string })[] {
  return [
    {
      flag: 'name',
      text: 'Name of the service',
      defaultAnswer: suggestedName(folder),
      check: checkName,
      suggest: suggestedName,
    },
    { flag: 'noun', text: 'First noun, in the singular', defaultAnswer: 'item', check: checkNoun, suggest: nounName },
    { flag: 'database', text: 'Database, sqlite or postgres://…', defaultAnswer: 'sqlite', check: checkDatabase },
  ]
}

/** `My Desk` becomes `my-desk`; a name without letters becomes `service`. */
function suggestedName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
  return name || 'service'
}

function checkName(name: string): void {
  checkDeclaration('--name', () => service({ name, apis: [exampleApi('item')] }))
}

function checkNoun(name: string): void {
  checkDeclaration('--noun', () => exampleApi(name))
}

function exampleApi(name: string) {
  const example = resource(noun(name, { id: identity() }))
  return api('example', { version: 1, versioning: 'whole', writes: 'flat', resources: [example] })
}

/** Rejects names with which the project would not start. */
function checkDeclaration(flag: string, declare: () => unknown): void {
  try {
    declare()
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error
    throw new CommandError(`${error.subject}: ${error.mistake}`, `Fix (${flag}): ${error.fix}`)
  }
}

function checkDatabase(url: string): void {
  if (url === 'sqlite' || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url))) return
  throw new CommandError(`"${url}" is not a database URL.`, 'Use sqlite, or a URL such as postgres://localhost/desk.')
}
