import type { SettingKind } from './kinds/setting-kinds.ts';

/** One environment variable. */
export interface Setting<T> {
  readonly variable: string;
  readonly kind: SettingKind<T>;
  /** The default value as text. Without it, the value of an unset variable is undefined. */
  readonly fallback?: string;
  /** What an unset variable means without a `fallback`. */
  readonly unset?: string;
  readonly description: string;
  /** Whether its value must never be shown. */
  readonly isSecret?: boolean;
  /** Whether it is an amount of an instance, of which each of its workers has a share. */
  readonly isDivided?: boolean;
}

/** A setting that has a value even if its variable is unset. */
export type RequiredSetting<T> = Setting<T> & { readonly fallback: string };

/** A setting with a default. */
export const required = <T>(
  variable: string,
  kind: SettingKind<T>,
  fallback: string,
  description: string,
): RequiredSetting<T> => ({
  variable,
  kind,
  fallback,
  description,
});

/** A setting whose variable may be unset, with what that means. */
export const optional = <T>(
  variable: string,
  kind: SettingKind<T>,
  unset: string,
  description: string,
): Setting<T> => ({
  variable,
  kind,
  unset,
  description,
});

/** The same setting, whose value is never shown. */
export const confidential = <T>(setting: Setting<T>): Setting<T> => ({ ...setting, isSecret: true });

/** The same setting, an amount that the workers of an instance divide among them. */
export const divided = <S extends Setting<number>>(setting: S): S => ({ ...setting, isDivided: true });
