/** The error of a service file, or of one that it imports, which cannot be served as it stands. */
import { CommandError } from '../command-error.ts'

export class ServiceFileError extends CommandError {
  constructor(message: string, fix: string) {
    super(message, fix, 1)
  }
}
