/** The maximum length of the name of a user: that of OpenID Connect for `sub`, and of the user in the history. */
import { change, specOf } from '@nomen/core'

export const maxUserLength = specOf(change, 'user').maxLength as number
