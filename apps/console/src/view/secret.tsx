/** A secret that the service shows only once, with a button that copies it. */
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { Dialog } from './dialog/dialog.tsx'
import { Icon } from './icon.tsx'

export function Secret({ value }: { readonly value: string }) {
  const { webhook } = text()
  return (
    <Alert color="orange" variant="light">
      <Stack gap="xs">
        <Text size="sm">{webhook.secretNote}</Text>
        <Group gap="xs">
          <Code className="breaking">{value}</Code>
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
                onClick={copy}
              >
                {copied ? webhook.copied : webhook.copySecret}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  )
}

interface SecretDialogProps {
  readonly title: string
  readonly value: string
  onClose(): void
}

/** A click beside the dialog does not close it: the secret would be lost. */
export default function SecretDialog({ title, value, onClose }: SecretDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Secret value={value} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{text().common.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
