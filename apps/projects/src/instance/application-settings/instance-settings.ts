import {
  ApplicationSettings,
  applicationSettingsChanged,
  defaultApplicationSettings,
  type FileLimit,
  type Given,
  type InstanceLimit,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ProjectsSettings } from '../../settings/settings';
import { type InstanceRecord, readSet, setSome } from '../record/instance-record';

/** Settings of the instance. */
@Injectable()
export class InstanceSettings {
  constructor(
    @InjectModel('ApplicationSettings') private readonly model: Model<InstanceRecord>,
    private readonly outbox: Outbox,
    @Inject(settingsToken) private readonly settings: ProjectsSettings,
  ) {}

  async read(): Promise<ApplicationSettings> {
    const initial = { ...defaultApplicationSettings, default_projects_limit: this.settings.PROJECTS_LIMIT };
    return ApplicationSettings.parse({ ...initial, ...(await readSet(this.model)) });
  }

  /** The current size limit of a file; 0 means unlimited. */
  async limit({ bytes: { setting }, tooLarge }: FileLimit<InstanceLimit>): Promise<FileLimit<number>> {
    const { [setting]: megabytes } = await this.read();
    return { bytes: megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 ** 2, tooLarge };
  }

  async set(values: Given<ApplicationSettings>): Promise<ApplicationSettings> {
    const event = newEvent(applicationSettingsChanged, { names: Object.keys(values) });
    await setSome(this.model, this.outbox, values, event);
    return this.read();
  }
}
