/** Checks the names of services and durable hooks. */
import { DeclarationError } from '@nomen/core'

/** `description` is the subject of the error message. */
export function checkName(subject: string, name: string, description: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return
  throw new DeclarationError(
    subject,
    `${description} must be in kebab-case.`,
    'use letters a to z, digits and single hyphens.',
  )
}
