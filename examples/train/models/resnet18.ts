/**
 * ResNet-18 (He et al. 2015, "Deep Residual Learning for Image Recognition"): torchvision's network and names, so that
 * its checkpoints load.
 */
import type { Tensor } from 'tegula'
import { AdaptiveAvgPool2d, BatchNorm2d, Conv2d, init, Linear, MaxPool2d, Module, ReLU, Sequential } from 'tegula/nn'

const conv3x3 = (inChannels: number, outChannels: number, stride = 1): Conv2d =>
  new Conv2d(inChannels, outChannels, 3, { stride, padding: 1, bias: false })

class BasicBlock extends Module {
  conv1: Conv2d
  bn1: BatchNorm2d
  relu = new ReLU()
  conv2: Conv2d
  bn2: BatchNorm2d
  downsample: Sequential | null = null

  constructor(inChannels: number, channels: number, stride = 1) {
    super()
    this.conv1 = conv3x3(inChannels, channels, stride)
    this.bn1 = new BatchNorm2d(channels)
    this.conv2 = conv3x3(channels, channels)
    this.bn2 = new BatchNorm2d(channels)
    if (stride !== 1 || inChannels !== channels) {
      const project = new Conv2d(inChannels, channels, 1, { stride, bias: false })
      this.downsample = new Sequential(project, new BatchNorm2d(channels))
    }
  }

  forward(x: Tensor): Tensor {
    const inner = this.relu(this.bn1(this.conv1(x)))
    const identity = this.downsample === null ? x : this.downsample(x)
    return this.relu(this.bn2(this.conv2(inner)).add(identity))
  }
}

const stage = (inChannels: number, channels: number, stride: number): Sequential =>
  new Sequential(new BasicBlock(inChannels, channels, stride), new BasicBlock(channels, channels))

/** Scores [N, numClasses] of images [N, 3, height, width], 224 × 224 in the paper. */
export class ResNet18 extends Module {
  conv1 = new Conv2d(3, 64, 7, { stride: 2, padding: 3, bias: false })
  bn1 = new BatchNorm2d(64)
  relu = new ReLU()
  maxpool = new MaxPool2d(3, { stride: 2, padding: 1 })
  layer1 = stage(64, 64, 1)
  layer2 = stage(64, 128, 2)
  layer3 = stage(128, 256, 2)
  layer4 = stage(256, 512, 2)
  avgpool = new AdaptiveAvgPool2d(1)
  fc: Linear

  constructor(numClasses = 1000) {
    super()
    this.fc = new Linear(512, numClasses)
    for (const module of this.modules())
      if (module instanceof Conv2d) init.kaimingNormal_(module.weight, { mode: 'fanOut', nonlinearity: 'relu' })
  }

  forward(x: Tensor): Tensor {
    const low = this.maxpool(this.relu(this.bn1(this.conv1(x))))
    const features = this.layer4(this.layer3(this.layer2(this.layer1(low))))
    return this.fc(this.avgpool(features).flatten(1))
  }
}
