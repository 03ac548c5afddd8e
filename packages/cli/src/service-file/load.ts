/** Loads a service file: a module whose default export is a service. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { collectDeclarationErrors, type DeclarationError } from '@nomen/core'
import type { Service } from '@nomen/server'
import { CommandError } from '../command-error.ts'
import { ServiceFileError } from './error.ts'
import { faultLocation } from './fault-location.ts'
import { importFix } from './import-fix.ts'

const usualNames = ['service.ts', 'service.mts', 'service.js', 'service.mjs']

/** Loads a file, or the service file of a folder (default: the current folder). */
export async function loadService(source = '.'): Promise<Service> {
  const path = serviceFileAt(resolve(source))
  if (path === undefined) {
    throw new CommandError(
      source === '.' ? 'service.ts was not found in this folder.' : `Service file not found: ${source}.`,
      'Pass the path of a service file, such as path/to/service.ts, or create a project with nomen new.',
    )
  }
  const loaded = await importFile(path)
  if (!isService(loaded.default)) {
    throw new ServiceFileError(
      `The default export of ${relative('.', path)} is not a service.`,
      "Write: export default service({ name: 'directory', apis: [directory] })",
    )
  }
  return loaded.default
}

/** The stack must contain the line of a declaration, however deep the check is that throws. */
const stackTraceLimit = 50

/** Imports the file. Its errors are reported with their lines, those of all declarations together. */
async function importFile(path: string): Promise<{ readonly default?: unknown }> {
  const previousLimit = Error.stackTraceLimit
  Error.stackTraceLimit = Math.max(previousLimit, stackTraceLimit)
  try {
    const { result, errors } = await collectDeclarationErrors(() => import(pathToFileURL(path).href))
    if (errors.length > 0) throw declarationErrors(path, errors)
    return result
  } catch (error) {
    // By its name: a project may have its own copy of the package, whose errors are not collected.
    if (error instanceof Error && error.name === 'DeclarationError')
      throw declarationErrors(path, (error as DeclarationError).errors ?? [error])
    throw error instanceof ServiceFileError ? error : loadError(path, error)
  } finally {
    Error.stackTraceLimit = previousLimit
  }
}

/** All errors, each with its line. */
function declarationErrors(path: string, errors: readonly Error[]): ServiceFileError {
  const locationOf = (error: unknown) => `At ${faultLocation(error) ?? relative('.', path)}`
  const [first] = errors
  if (first && errors.length === 1) return new ServiceFileError(first.message, locationOf(first))
  const items = errors.map((error, index) => `${index + 1}. ${error.message}\n  ${locationOf(error)}`)
  const list = items.map((item) => item.replaceAll('\n', '\n   ')).join('\n  ')
  return new ServiceFileError(`${errors.length} errors in the declarations:`, list)
}

/** Any other error of a file. */
function loadError(path: string, error: unknown): ServiceFileError {
  const manifest = commonjsManifest(path, error)
  if (manifest !== undefined) {
    return new ServiceFileError(
      `${relative('.', path)} uses import and export, but ${manifest} has "type": "commonjs".`,
      `Write "type": "module" in ${manifest}.`,
    )
  }
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`
  const location = faultLocation(error)
  const fix = importFix(error) ?? (location ? `See ${location}.` : 'Fix the file.')
  return new ServiceFileError(`${relative('.', path)} cannot be loaded. ${cause}`, fix)
}

/** The package.json that makes Node load the file as CommonJS; `npm init` writes such a file. */
function commonjsManifest(path: string, error: unknown): string | undefined {
  if (!(error instanceof SyntaxError)) return undefined
  const manifest = findPackageJSON(pathToFileURL(path))
  // Without a package.json, Node returns the file itself.
  if (manifest === undefined || basename(manifest) !== 'package.json') return undefined
  return JSON.parse(readFileSync(manifest, 'utf8')).type === 'commonjs' ? relative('.', manifest) : undefined
}

/** The file itself, or the service file of a folder; undefined if it does not exist. */
export function serviceFileAt(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  if (statSync(path).isFile()) return path
  return usualNames.map((name) => join(path, name)).find((candidate) => existsSync(candidate))
}

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && 'operations' in value && 'apis' in value && 'name' in value
}
