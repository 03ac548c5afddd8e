/** The bundled command, as published. It starts in less than half the time of the sources. */
import { join } from 'node:path'

/** The arguments of Node that run `nomen`, with the compiled files of every package. */
export const nomenArguments = [
  '--conditions=compiled',
  join(import.meta.dirname, '../packages/cli/dist/nomen.js'),
] as const
