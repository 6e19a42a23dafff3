package com.example.shop;

import com.example.smseventpipeline.AlarmsProps;
import com.example.smseventpipeline.Contract;
import com.example.smseventpipeline.Preset;
import com.example.smseventpipeline.ReplyOptions;
import com.example.smseventpipeline.SmsPipeline;
import com.example.smseventpipeline.Target;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.events.Match;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.sns.Topic;

/** The five lines of the README. */
public final class ShopApp {
    public static void main(String[] args) {
        App app = new App();
        Stack stack = new Stack(app, "Shop");
        Topic tickets = new Topic(stack, "Tickets");
        Function fn = Function.Builder.create(stack, "OnEvent")
            .runtime(Runtime.PYTHON_3_13)
            .handler("index.handler")
            .code(Code.fromInline("def handler(event, context):\n    print(event['detail']['eventId'])\n"))
            .build();

        SmsPipeline sms = SmsPipeline.Builder.create(stack, "Sms")
            .contract(Contract.preset(Preset.TWILIO))
            .alarms(AlarmsProps.builder().topic(tickets).build())
            .build();
        sms.getEvents().onDeliveryFailed(Target.lambda(fn));
        sms.getEvents().onReply(Target.lambda(fn), ReplyOptions.builder().text(Match.prefix("Yes")).build());

        app.synth();
    }
}
