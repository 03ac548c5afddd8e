/** The folder of this checkout. */
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
