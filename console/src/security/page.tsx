/** Who may come in to one's account, who is in, and who tried. */
import { Page } from "../ui/page";
import { SecondFactor } from "./second-factor";
import { SecurityLog } from "./security-log";
import { Sessions } from "./sessions";

export function SecurityPage() {
  return (
    <Page
      title="Security"
      about="How your account is guarded, where you are signed in, and who signed in or tried to."
    >
      <SecondFactor />
      <Sessions />
      <SecurityLog />
    </Page>
  );
}
