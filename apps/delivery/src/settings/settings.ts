import type { SettingValues } from '@moothall/config';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** What the delivery service reads from the environment besides the settings of every service. */
export const deliverySettings = objectStorageSettings;

export type DeliverySettings = ServiceSettings & SettingValues<typeof deliverySettings>;
