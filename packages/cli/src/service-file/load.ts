/** Loads a service file: a module whose default export is a service. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Service } from '@nomen/server'
import { CommandError } from '../command-error.ts'
import { ServiceFileError } from './error.ts'
import { faultPlace } from './fault-place.ts'

const usualNames = ['service.ts', 'service.mts', 'service.js', 'service.mjs']

/** Loads the file, or the service file of a folder; `service.ts` here where nothing is given. */
export async function loadService(given = '.'): Promise<Service> {
  const path = serviceFileAt(resolve(given))
  if (path === undefined) {
    throw new CommandError(
      given === '.' ? 'There is no service.ts here.' : `There is no service file at ${given}.`,
      'Name one, such as path/to/service.ts, which exports service({ name, apis }) as its default. nomen new begins a project.',
    )
  }
  const loaded = await importFile(path)
  if (!isService(loaded.default)) {
    throw new ServiceFileError(
      `${relative('.', path)} has no service as its default export.`,
      "Write: export default service({ name: 'directory', apis: [directory] })",
    )
  }
  return loaded.default
}

/** So many calls may stand between a declaration and what refuses it. */
const deepest = 50

/** What a person wrote is told in words, with its place; a declaration says by itself what is wrong with it. */
async function importFile(path: string): Promise<{ readonly default?: unknown }> {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = Math.max(usual, deepest)
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    const place = faultPlace(error)
    // By its name: the project may have a copy of the package of its own.
    if (error instanceof Error && error.name === 'DeclarationError') {
      throw new ServiceFileError(error.message, `At ${place ?? relative('.', path)}`)
    }
    const manifest = commonjsManifest(path, error)
    if (manifest !== undefined) {
      throw new ServiceFileError(
        `${relative('.', path)} has import and export, and ${manifest} says "type": "commonjs".`,
        'Write "type": "module" there.',
      )
    }
    const cause = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`
    throw new ServiceFileError(
      `${relative('.', path)} cannot be loaded. ${cause}`,
      place ? `See ${place}.` : 'Fix the file.',
    )
  } finally {
    Error.stackTraceLimit = usual
  }
}

/** The package.json that makes Node take a file for what it is not; `npm init` writes one. */
function commonjsManifest(path: string, error: unknown): string | undefined {
  if (!(error instanceof SyntaxError)) return undefined
  const manifest = findPackageJSON(pathToFileURL(path))
  // Where there is none, Node gives the file itself.
  if (manifest === undefined || basename(manifest) !== 'package.json') return undefined
  return JSON.parse(readFileSync(manifest, 'utf8')).type === 'commonjs' ? relative('.', manifest) : undefined
}

/** The file itself, or the service file of a folder; undefined where there is none. */
export function serviceFileAt(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  if (statSync(path).isFile()) return path
  return usualNames.map((name) => join(path, name)).find((candidate) => existsSync(candidate))
}

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && 'operations' in value && 'apis' in value && 'name' in value
}
