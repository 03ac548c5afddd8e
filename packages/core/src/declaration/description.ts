/** Checks of descriptions, which are plain text or CommonMark. */
import { DeclarationError } from './error.ts'

/** Checks that a description is a string and not empty. */
export function checkDescription(subject: string, description: unknown): void {
  if (description === undefined || (typeof description === 'string' && description.trim() !== '')) return
  throw new DeclarationError(
    subject,
    `the description must be a non-empty string, not ${JSON.stringify(description)}.`,
    'write a sentence, or remove the description.',
  )
}
