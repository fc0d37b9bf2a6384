import { bytes, type SettingValues } from '@moothall/config';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the delivery service besides the common ones. */
export const deliverySettings = {
  ...objectStorageSettings,
  LFS_SIZE_LIMIT: bytes({
    default: 0,
    about: 'Maximum size of all Git LFS objects of a project; 0 is no limit',
  }),
};

export type DeliverySettings = ServiceSettings & SettingValues<typeof deliverySettings>;
