/** The signed-in person with the scopes of the token, and the way out. */
import { ActionIcon, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { text } from '../../language/language.ts'
import { ButtonMenu } from '../../view/button-menu.tsx'
import { Icon } from '../../view/icon.tsx'
import type { SignIn } from './use-sign-in.ts'

/** The maximum number of scopes in the menu; a token may have hundreds. */
const maxScopes = 12

export default function UserMenu({ signIn }: { readonly signIn: SignIn }) {
  if (!signIn.isSignedIn)
    return (
      <Button size="xs" variant="default" leftSection={<Icon name="person" size={14} />} onClick={signIn.open}>
        {text().shell.signIn}
      </Button>
    )
  const { name, issuer, scopes } = signIn.identity ?? {}
  const title = name === undefined ? text().shell.signedIn : text().shell.signedInAs(name)
  return (
    <ButtonMenu
      position="bottom-end"
      width={280}
      // Inside the header, which is a landmark: the menu has text besides its items.
      withinPortal={false}
      button={
        <ActionIcon variant="light" size="lg" radius="xl" className="avatar" aria-label={title} title={title}>
          {name === undefined ? (
            <Icon name="person" size={18} />
          ) : (
            <span className="initials" data-initials={initialsOf(name)} />
          )}
        </ActionIcon>
      }
    >
      <Stack gap={4} px="sm" py="xs" className="breaking">
        <Text size="sm" fw={600}>
          {name ?? text().shell.signedIn}
        </Text>
        {issuer !== undefined && (
          <Text size="xs" c="dimmed">
            {issuer}
          </Text>
        )}
        {scopes !== undefined && (
          <>
            <Text size="xs" c="dimmed">
              {scopes.length === 0 ? text().shell.noScopes : text().shell.scopes}
            </Text>
            <Group gap={4}>
              {scopes.slice(0, maxScopes).map((scope) => (
                <Badge key={scope} variant="default" size="sm" radius="sm" tt="none" fw={400}>
                  {scope}
                </Badge>
              ))}
              {scopes.length > maxScopes && (
                <Text size="xs" c="dimmed">
                  {text().shell.moreScopes(scopes.length - maxScopes)}
                </Text>
              )}
            </Group>
          </>
        )}
      </Stack>
      <Menu.Divider />
      <Menu.Item leftSection={<Icon name="key" size={14} />} onClick={signIn.open}>
        {text().shell.changeToken}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="leave" size={14} />} onClick={signIn.signOut}>
        {text().shell.signOut}
      </Menu.Item>
    </ButtonMenu>
  )
}

/** `Anna Keller` gives `AK`, `anna@example.com` gives `A`. */
function initialsOf(name: string): string {
  const words = name.split('@', 1)[0]?.split(/[\s.]+/) ?? []
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
