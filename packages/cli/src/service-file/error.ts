/** An error in a service file, or in a file that it imports. */
import { CommandError } from '../command-error.ts'

export class ServiceFileError extends CommandError {
  constructor(message: string, fix: string) {
    super(message, fix, 1)
  }
}
