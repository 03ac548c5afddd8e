/** Loads a service file: a module whose default export is a service. */
import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DeclarationError } from '@nomen/core'
import type { Service } from '@nomen/server'
import { CommandError } from './command-error.ts'

const usualNames = ['service.ts', 'service.js', 'service.mjs']

/** Loads the file, or the service file of a folder; `service.ts` here where nothing is given. */
export async function loadService(given = '.'): Promise<Service> {
  const path = findFile(resolve(given))
  if (path === undefined) {
    throw new CommandError(
      given === '.' ? 'There is no service.ts here.' : `There is no service file at ${given}.`,
      'Name one, such as path/to/service.ts. It exports service({ name, apis }) as its default.',
    )
  }
  const loaded = await importFile(path)
  if (!isService(loaded.default)) {
    throw new CommandError(
      `${relative('.', path)} has no service as its default export.`,
      "Write: export default service({ name: 'directory', apis: [directory] })",
      1,
    )
  }
  return loaded.default
}

/** What a person wrote is told in words; a declaration says by itself what is wrong with it. */
async function importFile(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    if (error instanceof DeclarationError) throw error
    const [place] = (error instanceof Error && error.stack?.match(/file:\/\/\S+:\d+/)) || []
    const where = place
      ? relative('.', fileURLToPath(place.replace(/:\d+(:\d+)?$/, ''))) + place.slice(place.lastIndexOf(':'))
      : ''
    const cause = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`
    throw new CommandError(
      `${relative('.', path)} cannot be loaded. ${cause}`,
      where ? `See ${where}.` : 'Mend the file.',
      1,
    )
  }
}

function findFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  if (statSync(path).isFile()) return path
  return usualNames.map((name) => join(path, name)).find((candidate) => existsSync(candidate))
}

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && 'operations' in value && 'apis' in value && 'name' in value
}
