import { expect, type Locator, type Page } from '@playwright/test';

/** The chat as a person uses it, by its accessible names. */
export class Chat {
  readonly region: Locator;
  readonly message: Locator;

  constructor(readonly page: Page) {
    this.region = page.getByRole('region', { name: 'Chat', exact: true });
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
  }

  get stop(): Locator {
    return this.region.getByRole('button', { name: 'Stop', exact: true });
  }

  get approval(): Locator {
    return this.page.getByRole('dialog', { name: 'Approval', exact: true });
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(this.message).toHaveValue('');
  }

  /** Opens a new session beside the others; what is typed next is its own. */
  async newSession(): Promise<void> {
    const tabs = this.region.getByRole('tablist', { name: 'Sessions' }).getByRole('tab');
    const before = await tabs.count();
    await this.region.getByRole('button', { name: 'New session' }).click();
    await expect(tabs).toHaveCount(before + 1);
    await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  }

  /** Presses a button of the approval dialog, once it takes presses. */
  async answer(name: 'Allow once' | 'Allow for session' | 'Always allow' | 'Deny'): Promise<void> {
    const button = this.approval.getByRole('button', { name, exact: true });
    await expect(button).toBeEnabled();
    await button.click();
  }

  /** The turn is over: nothing to stop any more. */
  async idle(): Promise<void> {
    await expect(this.stop).toBeHidden();
  }
}
