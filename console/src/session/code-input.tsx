/** Where the code of a second factor is typed, or a recovery code. */
import { TextInput } from "@mantine/core";

interface CodeInputProps {
  value: string;
  onChange: (code: string) => void;
  error: string | undefined;
  /** Whether recovery codes, which have letters, are no use here. */
  digitsOnly?: boolean;
}

export function CodeInput({ value, onChange, error, digitsOnly = false }: CodeInputProps) {
  const digits = "Six digits from your authenticator app";
  return (
    <TextInput
      label="Code"
      description={digitsOnly ? digits : `${digits}, or a recovery code`}
      inputMode={digitsOnly ? "numeric" : "text"}
      autoComplete="one-time-code"
      autoFocus
      data-autofocus
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={64}
      value={value}
      error={error}
      aria-invalid={!!error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
