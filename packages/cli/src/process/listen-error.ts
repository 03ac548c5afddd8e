/** Errors of a server that cannot listen on its port, with a fix. */
import { CommandError } from '../command-error.ts'

export async function explainListenError<Result>(startListening: () => Promise<Result>, port: number, host: string) {
  try {
    return await startListening()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new CommandError(
        `Port ${port} is already in use.`,
        'Choose another with --port or PORT; 0 selects a free port.',
        1,
      )
    if (code === 'EACCES')
      throw new CommandError(
        `No permission to listen on port ${port}.`,
        'Ports below 1024 need privileges. Choose another with --port or PORT.',
        1,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CommandError(`${host} is not an address of this machine.`, 'Choose another with --host or HOST.', 1)
    throw error
  }
}
