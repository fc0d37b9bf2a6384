import type { FullDelivery } from './delivery.schema';

/** A request to a receiver outside. It goes through the outbound guard; redirects are not followed. */
export interface HttpErrand {
  method: 'POST' | 'PUT' | 'GET';
  /** A name and password in it become basic authentication. */
  url: string;
  /** What is shown of it to people, without what is secret. */
  shownUrl: string;
  headers: Readonly<Record<string, string>>;
  /** Headers of {@link headers} whose values nobody is shown. */
  secretHeaders: readonly string[];
  body: string;
  /** Whether the certificate of the receiver is checked. */
  verifiesTls: boolean;
  /** Whose rules the address is held against. */
  policy: 'services' | 'system-hooks';
}

/** Anything else that reaches somebody, as a mail. What it throws is a failure, and it is tried again. */
export interface OtherErrand {
  /** Who it goes to, as `smtp`: while a target fails again and again, nobody is sent to it. */
  target: string;
  shownUrl: string;
  run(signal: AbortSignal): Promise<void>;
}

export type Errand = HttpErrand | OtherErrand;

/** Who hears, by mail, that deliveries were switched off. */
export interface Keepers {
  /** What was switched off, as `the webhook https://… of group/project`. */
  what: string;
  emails: string[];
}

/**
 * Brings the deliveries of one kind of subscriber (hooks, integrations) to their receivers: it says what is to be sent, and the engine
 * sends it, in order, again while it fails, and writes down what was answered. Register it with {@link Couriers} when
 * the module starts.
 */
export interface Courier {
  /** The first word of its lines, as `hook` of `hook-5`. */
  readonly kind: string;
  /**
   * Asked before each attempt, so that what was changed meanwhile counts for what waits.
   * @param id the second word of the line
   * @returns null when nobody wants it any more: what waits for the subscriber is dropped
   */
  errandFor(id: number, delivery: FullDelivery): Promise<Errand | null>;
  keepersOf(id: number): Promise<Keepers | null>;
}
