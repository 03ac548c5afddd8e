/** The directory without history, loaded from its service file. SAMPLE_USERS is the number of sample users. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Service } from '@nomen/server'
import { directoryCopy } from '../contender/directory-copy.ts'

export async function directory(): Promise<Service> {
  const file = join(directoryCopy(resolve(import.meta.dirname, '../..')), 'service.ts')
  return (await import(pathToFileURL(file).href)).default
}
