import { objectStorageSettings } from '@moothall/object-storage';

/** What the delivery service reads from the environment besides the settings of every service. */
export const deliverySettings = objectStorageSettings;
