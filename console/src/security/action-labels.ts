/** What the security log tells of, in words. */
export const ACTION_LABELS: Record<string, string> = {
  "users.sign_in": "Signed in",
  "users.sign_in_failed": "Failed to sign in",
  "users.sign_out": "Signed out",
  "users.change_password": "Changed the password",
  "users.set_password": "Set the password",
  "users.end_session": "Ended a session",
  "users.create": "Created the account",
  "users.deactivate": "Deactivated the account",
  "users.activate": "Activated the account",
  "users.bind": "Bound the account to the sign-in provider",
  "users.unbind": "Unbound the account from the sign-in provider",
  "users.begin_second_factor": "Began to set up the second factor",
  "users.confirm_second_factor": "Turned on the second factor",
  "users.disable_second_factor": "Turned off the second factor",
  "users.reset_second_factor": "Reset the second factor",
  "keys.create": "Created an API key",
  "keys.amend": "Changed an API key",
  "keys.rotate": "Rotated an API key",
  "keys.revoke": "Revoked an API key",
};

export const actionLabel = (operation: string) => ACTION_LABELS[operation] ?? operation;
