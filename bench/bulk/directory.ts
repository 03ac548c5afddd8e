/** The directory without history, loaded from its service file. SAMPLE_USERS is the number of sample users. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Service } from '@nomen/server'
import '../contender/without-history.ts'

export async function directory(): Promise<Service> {
  const file = resolve(import.meta.dirname, '../../apps/directory/service.ts')
  return (await import(pathToFileURL(file).href)).default
}
