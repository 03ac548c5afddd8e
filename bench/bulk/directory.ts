/** The directory as every command gets it: from its service file. SAMPLE_USERS says how many users it brings along. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Service } from '@nomen/server'

export async function directory(): Promise<Service> {
  const file = resolve(import.meta.dirname, '../../apps/directory/service.ts')
  return (await import(pathToFileURL(file).href)).default
}
