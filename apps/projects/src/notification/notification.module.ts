import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { MailModule } from '../mail/mail.module';
import { Notices } from './notices';
import { notificationSettingSchema } from './notification-setting.schema';
import { NotificationSettings } from './notification-settings';

/** Notification settings. */
@Module({
  imports: [
    MailModule,
    MongooseModule.forFeature([{ name: 'NotificationSetting', schema: notificationSettingSchema }]),
  ],
  providers: [Notices, NotificationSettings],
  exports: [Notices, NotificationSettings],
})
export class NotificationModule {}
